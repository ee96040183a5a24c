/* SPDX-License-Identifier: MIT
 *
 * Sharing with OpenGL and EGL, which no context of this platform does: each function refuses.
 */
#include "opencl/context.h"
#include "opencl/memory.h"
#include "opencl/queue.h"
#include "opencl/trace.h"

static void *refuse(cl_context context, cl_int *errcode_ret)
{
    vsg_ocl_result(errcode_ret,
                   vsg_ocl_is_context(context) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT);
    return NULL;
}

static cl_int refuse_memory(cl_mem memory)
{
    return vsg_ocl_is_memory(memory) ? CL_INVALID_GL_OBJECT : CL_INVALID_MEM_OBJECT;
}

/* Without objects there is nothing to do, and nothing to refuse. */
static cl_int refuse_objects(cl_command_queue queue, cl_uint num_objects,
                             const cl_mem *mem_objects)
{
    if (!vsg_ocl_is_queue(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if ((num_objects == 0) != (mem_objects == NULL))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_objects; i++)
        if (!vsg_ocl_is_memory(mem_objects[i]))
            return CL_INVALID_MEM_OBJECT;
    return CL_INVALID_CONTEXT;
}

cl_mem clCreateFromGLBuffer(cl_context context, cl_mem_flags flags, cl_GLuint bufobj,
                            cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    (void)flags;
    (void)bufobj;
    return refuse(context, errcode_ret);
}

#define CREATE_FROM_TEXTURE(function)                                                          \
    cl_mem function(cl_context context, cl_mem_flags flags, cl_GLenum target,                  \
                    cl_GLint miplevel, cl_GLuint texture, cl_int *errcode_ret)                 \
    {                                                                                          \
        VSG_OCL_TRACED;                                                                        \
        (void)flags;                                                                           \
        (void)target;                                                                          \
        (void)miplevel;                                                                        \
        (void)texture;                                                                         \
        return refuse(context, errcode_ret);                                                   \
    }
CREATE_FROM_TEXTURE(clCreateFromGLTexture)
CREATE_FROM_TEXTURE(clCreateFromGLTexture2D)
CREATE_FROM_TEXTURE(clCreateFromGLTexture3D)

cl_mem clCreateFromGLRenderbuffer(cl_context context, cl_mem_flags flags,
                                  cl_GLuint renderbuffer, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    (void)flags;
    (void)renderbuffer;
    return refuse(context, errcode_ret);
}

cl_int clGetGLObjectInfo(cl_mem memobj, cl_gl_object_type *gl_object_type,
                         cl_GLuint *gl_object_name)
{
    VSG_OCL_TRACED;
    (void)gl_object_type;
    (void)gl_object_name;
    return refuse_memory(memobj);
}

cl_int clGetGLTextureInfo(cl_mem memobj, cl_gl_texture_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    (void)param_name;
    (void)param_value_size;
    (void)param_value;
    (void)param_value_size_ret;
    return refuse_memory(memobj);
}

#define ENQUEUE_OBJECTS(function)                                                              \
    cl_int function(cl_command_queue command_queue, cl_uint num_objects,                       \
                    const cl_mem *mem_objects, cl_uint num_events_in_wait_list,                \
                    const cl_event *event_wait_list, cl_event *event)                          \
    {                                                                                          \
        VSG_OCL_TRACED;                                                                        \
        (void)num_events_in_wait_list;                                                         \
        (void)event_wait_list;                                                                 \
        (void)event;                                                                           \
        return refuse_objects(command_queue, num_objects, mem_objects);                        \
    }
ENQUEUE_OBJECTS(clEnqueueAcquireGLObjects)
ENQUEUE_OBJECTS(clEnqueueReleaseGLObjects)
ENQUEUE_OBJECTS(clEnqueueAcquireEGLObjectsKHR)
ENQUEUE_OBJECTS(clEnqueueReleaseEGLObjectsKHR)

cl_int clGetGLContextInfoKHR(const cl_context_properties *properties,
                             cl_gl_context_info param_name, size_t param_value_size,
                             void *param_value, size_t *param_value_size_ret)
{
    VSG_OCL_TRACED;
    (void)properties;
    (void)param_name;
    (void)param_value_size;
    (void)param_value;
    (void)param_value_size_ret;
    return CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR;
}

cl_event clCreateEventFromGLsyncKHR(cl_context context, cl_GLsync sync, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    (void)sync;
    return refuse(context, errcode_ret);
}

cl_mem clCreateFromEGLImageKHR(cl_context context, CLeglDisplayKHR egldisplay,
                               CLeglImageKHR eglimage, cl_mem_flags flags,
                               const cl_egl_image_properties_khr *properties,
                               cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    (void)egldisplay;
    (void)eglimage;
    (void)flags;
    (void)properties;
    return refuse(context, errcode_ret);
}

cl_event clCreateEventFromEGLSyncKHR(cl_context context, CLeglSyncKHR sync,
                                     CLeglDisplayKHR display, cl_int *errcode_ret)
{
    VSG_OCL_TRACED;
    (void)sync;
    (void)display;
    return refuse(context, errcode_ret);
}
