/* SPDX-License-Identifier: MIT
 *
 * Queues, events, markers, barriers, callbacks, native kernels. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "driver.h"

static void nap(void)
{
    const struct timespec time = {0, 2000000};

    (void)nanosleep(&time, NULL);
}

/* ---- a log of what has run -------------------------------------------------------------- */

static char ran[64];
static atomic_int num_ran;

static void CL_CALLBACK note(void *argument)
{
    char letter;

    memcpy(&letter, argument, 1);
    ran[atomic_fetch_add(&num_ran, 1)] = letter;
}

static void forget(void)
{
    memset(ran, 0, sizeof ran);
    atomic_store(&num_ran, 0);
}

/* Enqueues a command that leaves a letter. */
static cl_event leave(cl_command_queue queue, char letter, cl_uint count, const cl_event *list)
{
    cl_event event;

    GOOD(clEnqueueNativeKernel(queue, note, &letter, 1, 0, NULL, NULL, count, list, &event));
    return event;
}

static cl_int status_of(cl_event event)
{
    cl_int status;

    GOOD(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

static void release(cl_event event)
{
    GOOD(clReleaseEvent(event));
}

/* ---- queues ----------------------------------------------------------------------------- */

static void queues_check_what_they_get(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_device_id other = driver_device(d.platform, "DG2");
    const cl_queue_properties unknown[] = {0x4321, 1, 0};
    const cl_queue_properties bits[] = {CL_QUEUE_PROPERTIES, 1 << 20, 0};
    const cl_queue_properties on_device[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    const cl_queue_properties size[] = {CL_QUEUE_SIZE, 1024, 0};
    const cl_queue_properties no_hint[] = {CL_QUEUE_PRIORITY_KHR, 99, 0};
    const cl_queue_properties hint[] = {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR, 0};
    cl_int status;

    assert_null(clCreateCommandQueueWithProperties(d.context, d.device, unknown, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(clCreateCommandQueueWithProperties(d.context, d.device, bits, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(clCreateCommandQueueWithProperties(d.context, d.device, on_device, &status));
    assert_int_equal(status, CL_INVALID_QUEUE_PROPERTIES);
    assert_null(clCreateCommandQueueWithProperties(d.context, d.device, size, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(clCreateCommandQueueWithProperties(d.context, d.device, no_hint, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(clCreateCommandQueueWithProperties(d.context, other, NULL, &status));
    assert_int_equal(status, CL_INVALID_DEVICE);
    assert_null(clCreateCommandQueue(d.context, d.device, 1 << 20, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(d.context, d.device, hint, &status);
    GOOD(status);
    GOOD(clReleaseCommandQueue(queue));
    driver_close(&d);
}

static void queue_answers(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", CL_QUEUE_PROFILING_ENABLE);
    cl_context context;
    cl_device_id device;
    cl_command_queue_properties properties;
    cl_queue_properties list[8];
    cl_uint count;
    size_t bytes;

    GOOD(clGetCommandQueueInfo(d.queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL));
    assert_ptr_equal(context, d.context);
    GOOD(clGetCommandQueueInfo(d.queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL));
    assert_ptr_equal(device, d.device);
    GOOD(clGetCommandQueueInfo(d.queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties,
                               NULL));
    assert_int_equal(properties, CL_QUEUE_PROFILING_ENABLE);
    GOOD(clGetCommandQueueInfo(d.queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof list, list, &bytes));
    assert_int_equal(bytes, 3 * sizeof *list);
    assert_int_equal(list[1], CL_QUEUE_PROFILING_ENABLE);
    assert_int_equal(clGetCommandQueueInfo(d.queue, CL_QUEUE_SIZE, sizeof count, &count, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    assert_int_equal(clGetCommandQueueInfo(d.queue, 0x1, sizeof count, &count, NULL),
                     CL_INVALID_VALUE);
    GOOD(clRetainCommandQueue(d.queue));
    GOOD(clGetCommandQueueInfo(d.queue, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, NULL));
    assert_int_equal(count, 2);
    GOOD(clReleaseCommandQueue(d.queue));
    assert_int_equal(clSetDefaultDeviceCommandQueue(d.context, d.device, d.queue),
                     CL_INVALID_OPERATION);
    assert_int_equal(clSetDefaultDeviceCommandQueue(d.context, d.device, NULL),
                     CL_INVALID_OPERATION);
    driver_close(&d);
}

/* ---- order ------------------------------------------------------------------------------ */

static void commands_keep_their_order(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    char expected[33] = {0};

    forget();
    for (int i = 0; i < 32; i++) {
        expected[i] = (char)('A' + i);
        release(leave(d.queue, expected[i], 0, NULL));
        if (i % 7 == 0)
            GOOD(clFlush(d.queue));
    }
    GOOD(clFinish(d.queue));
    assert_string_equal(ran, expected);
    driver_close(&d);
}

static void in_order_waits_for_a_user_event(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_int status;
    cl_event gate = clCreateUserEvent(d.context, &status);
    cl_context context;
    cl_command_queue queue;
    cl_command_type type;

    GOOD(status);
    GOOD(clGetEventInfo(gate, CL_EVENT_CONTEXT, sizeof context, &context, NULL));
    assert_ptr_equal(context, d.context);
    GOOD(clGetEventInfo(gate, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
    assert_null(queue);
    GOOD(clGetEventInfo(gate, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, CL_COMMAND_USER);
    assert_int_equal(status_of(gate), CL_SUBMITTED);
    forget();
    cl_event a = leave(d.queue, 'a', 1, &gate);
    cl_event b = leave(d.queue, 'b', 0, NULL);
    GOOD(clFlush(d.queue));
    nap();
    assert_int_equal(atomic_load(&num_ran), 0);
    assert_int_equal(clSetUserEventStatus(gate, 1), CL_INVALID_VALUE);
    GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_INVALID_OPERATION);
    GOOD(clWaitForEvents(1, &b));
    assert_string_equal(ran, "ab");
    assert_int_equal(status_of(a), CL_COMPLETE);
    assert_int_equal(clSetUserEventStatus(a, CL_COMPLETE), CL_INVALID_EVENT);
    release(a);
    release(b);
    release(gate);
    driver_close(&d);
}

/* A native kernel opens a gate that the list has before its event. */
static void CL_CALLBACK open_gate(void *argument)
{
    cl_event gate;

    memcpy(&gate, argument, sizeof gate);
    (void)clSetUserEventStatus(gate, CL_COMPLETE);
}

/* Nobody flushes the queue but the call that waits, which waits for something else first. */
static void waiting_flushes_all_queues(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_int status;
    cl_event list[2];

    list[0] = clCreateUserEvent(d.context, &status);
    GOOD(status);
    GOOD(clEnqueueNativeKernel(d.queue, open_gate, list, sizeof *list, 0, NULL, NULL, 0, NULL,
                               &list[1]));
    GOOD(clWaitForEvents(2, list));
    release(list[0]);
    release(list[1]);
    driver_close(&d);
}

/* The place for the event may be where the list is. */
static void an_event_may_replace_the_list(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);

    forget();
    cl_event event = leave(d.queue, 'a', 0, NULL), first = event;
    char letter = 'b';
    GOOD(clEnqueueNativeKernel(d.queue, note, &letter, 1, 0, NULL, NULL, 1, &event, &event));
    assert_ptr_not_equal(event, first);
    GOOD(clWaitForEvents(1, &event));
    assert_string_equal(ran, "ab");
    release(event);
    release(first);
    driver_close(&d);
}

static void out_of_order_passes_what_waits(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_int status;
    cl_event gate = clCreateUserEvent(d.context, &status);

    GOOD(status);
    forget();
    cl_event a = leave(d.queue, 'a', 1, &gate);
    cl_event b = leave(d.queue, 'b', 0, NULL);
    GOOD(clWaitForEvents(1, &b));
    assert_string_equal(ran, "b");
    GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
    GOOD(clFinish(d.queue));
    assert_string_equal(ran, "ba");
    release(a);
    release(b);
    release(gate);
    driver_close(&d);
}

/* A barrier holds back what follows; a marker does not, but waits for all before it. */
static void barriers_and_markers(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_int status;
    cl_event gate = clCreateUserEvent(d.context, &status), marker, barrier;

    GOOD(status);
    forget();
    cl_event a = leave(d.queue, 'a', 1, &gate);
    GOOD(clEnqueueMarkerWithWaitList(d.queue, 0, NULL, &marker));
    cl_event b = leave(d.queue, 'b', 0, NULL);
    GOOD(clEnqueueBarrierWithWaitList(d.queue, 0, NULL, &barrier));
    cl_event c = leave(d.queue, 'c', 0, NULL);
    GOOD(clWaitForEvents(1, &b));
    GOOD(clFlush(d.queue));
    nap();
    assert_string_equal(ran, "b");
    assert_true(status_of(marker) > CL_COMPLETE);
    assert_true(status_of(barrier) > CL_COMPLETE);
    assert_true(status_of(c) > CL_COMPLETE);
    GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
    GOOD(clWaitForEvents(1, &c));
    assert_string_equal(ran, "bac");
    assert_int_equal(status_of(marker), CL_COMPLETE);
    assert_int_equal(status_of(barrier), CL_COMPLETE);
    const cl_event all[] = {a, b, c, marker, barrier, gate};
    for (int i = 0; i < 6; i++)
        release(all[i]);
    driver_close(&d);
}

/* A barrier for a list waits for nothing else. */
static void barriers_of_lists(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_int status;
    cl_event gate = clCreateUserEvent(d.context, &status);
    cl_event other = clCreateUserEvent(d.context, &status);

    GOOD(status);
    forget();
    cl_event a = leave(d.queue, 'a', 1, &gate);
    GOOD(clEnqueueBarrierWithWaitList(d.queue, 1, &other, NULL));
    cl_event b = leave(d.queue, 'b', 0, NULL);
    GOOD(clFlush(d.queue));
    nap();
    assert_int_equal(atomic_load(&num_ran), 0);
    GOOD(clSetUserEventStatus(other, CL_COMPLETE));
    GOOD(clWaitForEvents(1, &b));
    assert_string_equal(ran, "b");
    GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
    GOOD(clFinish(d.queue));
    assert_string_equal(ran, "ba");
    const cl_event all[] = {a, b, gate, other};
    for (int i = 0; i < 4; i++)
        release(all[i]);
    driver_close(&d);
}

static void old_markers_and_barriers(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event marker;

    forget();
    cl_event a = leave(d.queue, 'a', 0, NULL);
    GOOD(clEnqueueWaitForEvents(d.queue, 1, &a));
    cl_event b = leave(d.queue, 'b', 0, NULL);
    GOOD(clEnqueueBarrier(d.queue));
    GOOD(clEnqueueMarker(d.queue, &marker));
    GOOD(clWaitForEvents(1, &marker));
    assert_string_equal(ran, "ab");
    assert_int_equal(clEnqueueMarker(d.queue, NULL), CL_INVALID_VALUE);
    assert_int_equal(clEnqueueWaitForEvents(d.queue, 0, NULL), CL_INVALID_VALUE);
    release(a);
    release(b);
    release(marker);
    driver_close(&d);
}

/* Queues wait for one another's events; nobody flushes the first by hand. */
static void queues_wait_for_queues(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_int status;
    cl_command_queue other =
        clCreateCommandQueueWithProperties(d.context, d.device, NULL, &status);

    GOOD(status);
    forget();
    cl_event a = leave(d.queue, 'a', 0, NULL);
    cl_event b = leave(other, 'b', 1, &a);
    cl_event c = leave(d.queue, 'c', 1, &b);
    GOOD(clWaitForEvents(1, &c));
    assert_string_equal(ran, "abc");
    release(a);
    release(b);
    release(c);
    GOOD(clReleaseCommandQueue(other));
    driver_close(&d);
}

/* ---- failure ---------------------------------------------------------------------------- */

static void failure_is_passed_on(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_int status;
    cl_event gate = clCreateUserEvent(d.context, &status);
    cl_mem buffer = clCreateBuffer(d.context, 0, 4, NULL, &status);
    cl_int four = 4;

    GOOD(status);
    forget();
    cl_event a = leave(d.queue, 'a', 1, &gate);
    cl_event b = leave(d.queue, 'b', 1, &a);
    cl_event c = leave(d.queue, 'c', 0, NULL);
    GOOD(clSetUserEventStatus(gate, -42));
    assert_int_equal(clWaitForEvents(1, &b), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    GOOD(clWaitForEvents(1, &c));
    assert_string_equal(ran, "c");
    assert_int_equal(status_of(gate), -42);
    assert_int_equal(status_of(a), -42);
    assert_int_equal(status_of(b), -42);
    assert_int_equal(clEnqueueReadBuffer(d.queue, buffer, CL_TRUE, 0, 4, &four, 1, &b, NULL),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(four, 4);
    release(a);
    release(b);
    release(c);
    release(gate);
    GOOD(clReleaseMemObject(buffer));
    driver_close(&d);
}

static void lists_are_checked(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    driver e = driver_open("Skylake", 0);
    cl_int status;
    cl_event far = clCreateUserEvent(e.context, &status);
    cl_event near = clCreateUserEvent(d.context, &status);
    cl_event foreign = driver_foreign(), none = NULL, wrong = (cl_event)d.queue;
    const cl_event both[] = {near, far};

    GOOD(status);
    assert_int_equal(clEnqueueMarkerWithWaitList(d.queue, 1, NULL, NULL),
                     CL_INVALID_EVENT_WAIT_LIST);
    assert_int_equal(clEnqueueMarkerWithWaitList(d.queue, 0, &near, NULL),
                     CL_INVALID_EVENT_WAIT_LIST);
    assert_int_equal(clEnqueueMarkerWithWaitList(d.queue, 1, &foreign, NULL),
                     CL_INVALID_EVENT_WAIT_LIST);
    assert_int_equal(clEnqueueMarkerWithWaitList(d.queue, 1, &none, NULL),
                     CL_INVALID_EVENT_WAIT_LIST);
    assert_int_equal(clEnqueueMarkerWithWaitList(d.queue, 1, &wrong, NULL),
                     CL_INVALID_EVENT_WAIT_LIST);
    assert_int_equal(clEnqueueMarkerWithWaitList(d.queue, 1, &far, NULL), CL_INVALID_CONTEXT);
    assert_int_equal(clWaitForEvents(2, both), CL_INVALID_CONTEXT);
    assert_int_equal(clWaitForEvents(0, both), CL_INVALID_VALUE);
    release(far);
    release(near);
    driver_close(&d);
    driver_close(&e);
}

/* ---- callbacks and times ---------------------------------------------------------------- */

typedef struct seen {
    cl_int at[4]; /* by type; 99: not called */
    atomic_int count;
} seen;

static void CL_CALLBACK watch(cl_event event, cl_int status, void *user)
{
    seen *all = user;

    (void)event;
    all->at[status < 0 ? CL_COMPLETE : status] = status;
    (void)atomic_fetch_add(&all->count, 1);
}

static void callbacks_are_called(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_int status;
    cl_event gate = clCreateUserEvent(d.context, &status);
    seen all = {.at = {99, 99, 99, 99}}, late = {.at = {99, 99, 99, 99}};

    GOOD(status);
    cl_event a = leave(d.queue, 'a', 1, &gate);
    for (cl_int type = CL_COMPLETE; type <= CL_SUBMITTED; type++)
        GOOD(clSetEventCallback(a, type, watch, &all));
    assert_int_equal(clSetEventCallback(a, CL_QUEUED, watch, &all), CL_INVALID_VALUE);
    assert_int_equal(clSetEventCallback(a, CL_COMPLETE, NULL, &all), CL_INVALID_VALUE);
    assert_int_equal(atomic_load(&all.count), 0);
    GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
    for (int i = 0; i < 2000 && atomic_load(&all.count) < 3; i++)
        nap();
    assert_int_equal(atomic_load(&all.count), 3);
    for (cl_int type = CL_COMPLETE; type <= CL_SUBMITTED; type++)
        assert_int_equal(all.at[type], type);
    GOOD(clSetEventCallback(a, CL_COMPLETE, watch, &late));
    assert_int_equal(atomic_load(&late.count), 1);
    release(a);
    release(gate);
    driver_close(&d);
}

static cl_ulong time_of(cl_event event, cl_profiling_info what)
{
    cl_ulong time;

    GOOD(clGetEventProfilingInfo(event, what, sizeof time, &time, NULL));
    return time;
}

static void times_are_told(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", CL_QUEUE_PROFILING_ENABLE);
    driver e = driver_open("Skylake", 0);
    cl_ulong before, after, times[5];

    GOOD(clGetHostTimer(d.device, &before));
    cl_event a = leave(d.queue, 'a', 0, NULL), b = leave(e.queue, 'b', 0, NULL);
    assert_int_equal(
        clGetEventProfilingInfo(a, CL_PROFILING_COMMAND_END, sizeof after, &after, NULL),
        CL_PROFILING_INFO_NOT_AVAILABLE);
    GOOD(clWaitForEvents(1, &a));
    GOOD(clWaitForEvents(1, &b));
    GOOD(clGetHostTimer(d.device, &after));
    for (unsigned i = 0; i < 5; i++) {
        times[i] = time_of(a, CL_PROFILING_COMMAND_QUEUED + i);
        assert_true(times[i] >= (i ? times[i - 1] : before) && times[i] <= after);
    }
    assert_int_equal(clGetEventProfilingInfo(a, 0x1, sizeof after, &after, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(
        clGetEventProfilingInfo(b, CL_PROFILING_COMMAND_END, sizeof after, &after, NULL),
        CL_PROFILING_INFO_NOT_AVAILABLE);
    release(a);
    release(b);
    driver_close(&d);
    driver_close(&e);
}

/* ---- native kernels --------------------------------------------------------------------- */

typedef struct native_arguments {
    uint32_t *to; /* a handle when it is enqueued */
    uint32_t value;
} native_arguments;

static void CL_CALLBACK store(void *argument)
{
    native_arguments a;

    memcpy(&a, argument, sizeof a);
    *a.to = a.value;
}

static void native_kernels_get_addresses(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_int status;
    cl_mem buffer = clCreateBuffer(d.context, 0, 4, NULL, &status);
    native_arguments a = {NULL, 0x12345678};
    const void *places[] = {&a.to};
    uint32_t value = 0;

    GOOD(status);
    GOOD(
        clEnqueueNativeKernel(d.queue, store, &a, sizeof a, 1, &buffer, places, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(d.queue, buffer, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    assert_int_equal(value, 0x12345678);
    assert_int_equal(
        clEnqueueNativeKernel(d.queue, NULL, &a, sizeof a, 0, NULL, NULL, 0, NULL, NULL),
        CL_INVALID_VALUE);
    assert_int_equal(
        clEnqueueNativeKernel(d.queue, store, NULL, sizeof a, 0, NULL, NULL, 0, NULL, NULL),
        CL_INVALID_VALUE);
    assert_int_equal(
        clEnqueueNativeKernel(d.queue, store, &a, sizeof a, 1, NULL, places, 0, NULL, NULL),
        CL_INVALID_VALUE);
    GOOD(clReleaseMemObject(buffer));
    driver_close(&d);
}

/* ---- many threads ----------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 300 };

typedef struct hammer {
    driver *d;
    cl_command_queue shared;
    cl_mem counter;
} hammer;

static atomic_int hits;

static void CL_CALLBACK hit(void *argument)
{
    (void)argument;
    (void)atomic_fetch_add(&hits, 1);
}

static void *hammer_main(void *argument)
{
    hammer *h = argument;
    char nothing = 0;
    cl_int status;
    cl_command_queue own =
        clCreateCommandQueueWithProperties(h->d->context, h->d->device, NULL, &status);

    for (int i = 0; i < ROUNDS; i++) {
        cl_event a, b;
        status |= clEnqueueNativeKernel(own, hit, &nothing, 1, 0, NULL, NULL, 0, NULL, &a);
        status |= clEnqueueNativeKernel(h->shared, hit, &nothing, 1, 0, NULL, NULL, 1, &a, &b);
        if (i % 3 == 0)
            status |= clWaitForEvents(1, &b);
        else if (i % 5 == 0)
            status |= clFinish(h->shared);
        status |= clReleaseEvent(a);
        status |= clReleaseEvent(b);
    }
    status |= clFinish(own);
    status |= clReleaseCommandQueue(own);
    return (void *)(intptr_t)status;
}

static void threads_share_a_queue(cl_command_queue_properties properties)
{
    driver d = driver_open("Skylake", properties);
    hammer h = {.d = &d, .shared = d.queue};
    pthread_t threads[THREADS];

    atomic_store(&hits, 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hammer_main, &h), 0);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_null(result);
    }
    GOOD(clFinish(d.queue));
    assert_int_equal(atomic_load(&hits), 2 * THREADS * ROUNDS);
    driver_close(&d);
}

static void threads_share_an_ordered_queue(void **state)
{
    (void)state;
    threads_share_a_queue(0);
}

static void threads_share_an_unordered_queue(void **state)
{
    (void)state;
    threads_share_a_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* More commands than a queue keeps: whoever enqueues them has to wait, but not for what only a
 * later call lets begin. */
static void queues_hold_back(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    static const cl_command_queue_properties kinds[] = {0,
                                                        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};

    for (int i = 0; i < 4; i++) {
        driver d = driver_open("Skylake", kinds[i / 2]);
        cl_int status;
        cl_event gate = clCreateUserEvent(d.context, &status);
        char nothing = 0;
        GOOD(status);
        atomic_store(&hits, 0);
        if (i % 2)
            GOOD(clEnqueueBarrierWithWaitList(d.queue, 1, &gate, NULL));
        for (int j = 0; j < MANY; j++)
            GOOD(
                clEnqueueNativeKernel(d.queue, hit, &nothing, 1, 0, NULL, NULL, 0, NULL, NULL));
        assert_true(i % 2 ? atomic_load(&hits) == 0 : atomic_load(&hits) > MANY / 4);
        GOOD(clSetUserEventStatus(gate, CL_COMPLETE));
        GOOD(clFinish(d.queue));
        assert_int_equal(atomic_load(&hits), MANY);
        release(gate);
        driver_close(&d);
    }
}

/* The application lets go of everything at once; the commands run all the same, and the last of
 * them ends the queue and the context. */
static atomic_int contexts_gone;

static void CL_CALLBACK context_gone(cl_context context, void *user)
{
    (void)context;
    (void)user;
    atomic_fetch_add(&contexts_gone, 1);
}

static void everything_is_released_early(void **state)
{
    (void)state;
    enum { TIMES = 50 };

    forget();
    for (int i = 0; i < TIMES; i++) {
        driver d = driver_open("Skylake", 0);
        atomic_store(&num_ran, 0);
        GOOD(clSetContextDestructorCallback(d.context, context_gone, NULL));
        cl_event a = leave(d.queue, 'a', 0, NULL);
        release(a);
        GOOD(clReleaseCommandQueue(d.queue));
        GOOD(clReleaseContext(d.context));
        for (int j = 0; j < 2000 && atomic_load(&contexts_gone) <= i; j++)
            nap();
        assert_int_equal(atomic_load(&num_ran), 1);
        assert_int_equal(atomic_load(&contexts_gone), i + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_check_what_they_get),
        cmocka_unit_test(queue_answers),
        cmocka_unit_test(commands_keep_their_order),
        cmocka_unit_test(in_order_waits_for_a_user_event),
        cmocka_unit_test(waiting_flushes_all_queues),
        cmocka_unit_test(an_event_may_replace_the_list),
        cmocka_unit_test(out_of_order_passes_what_waits),
        cmocka_unit_test(barriers_and_markers),
        cmocka_unit_test(barriers_of_lists),
        cmocka_unit_test(old_markers_and_barriers),
        cmocka_unit_test(queues_wait_for_queues),
        cmocka_unit_test(failure_is_passed_on),
        cmocka_unit_test(lists_are_checked),
        cmocka_unit_test(callbacks_are_called),
        cmocka_unit_test(times_are_told),
        cmocka_unit_test(native_kernels_get_addresses),
        cmocka_unit_test(threads_share_an_ordered_queue),
        cmocka_unit_test(threads_share_an_unordered_queue),
        cmocka_unit_test(queues_hold_back),
        cmocka_unit_test(everything_is_released_early),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
