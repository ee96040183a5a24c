# SPDX-License-Identifier: MIT
"""What functions.visaasm leaves: two groups of 32 work-items do the same."""


def f(values, n):
    partners = [values[i ^ 16] for i in range(32)]
    if n == 0:
        return partners
    rest = f([v + w for v, w in zip(values, partners)], n - 1)
    return [r + 3 * w for r, w in zip(rest, partners)]


for r in 2 * f(list(range(32)), 4):
    print(r + (7 if r & 1 else 11))
