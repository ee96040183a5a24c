/* SPDX-License-Identifier: MIT
 *
 * Prices of options, paths of rates, series. */
#pragma OPENCL FP_CONTRACT OFF

/* American puts by binomial trees of 255 steps; a group each, a leaf a work-item. */
kernel void binomial_tree(global const float *spots, global const float *strikes,
                          global const float *years, global float *out, float rate,
                          float volatility)
{
    local float values[257];
    int l = get_local_id(0), option = get_group_id(0), steps = get_local_size(0) - 1;
    float strike = strikes[option], time = years[option] / steps;
    float width = volatility * sqrt(time), up = exp(width), grow = exp(rate * time);
    float chance = (grow - 1.0f / up) / (up - 1.0f / up);
    float above = chance / grow, below = (1.0f - chance) / grow;
    float price = spots[option] * exp(width * (2 * l - steps));

    values[l] = fmax(strike - price, 0.0f);
    for (int step = steps; step > 0; step--) {
        float value = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        price *= up;
        if (l < step)
            value = fmax(strike - price, above * values[l + 1] + below * values[l]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step)
            values[l] = value;
    }
    if (l == 0)
        out[option] = values[0];
}

uint next_random(uint *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Asian call by Monte Carlo: a path a work-item, Box-Muller, mean payoff of a group. */
kernel void asian_paths(global const uint *seeds, global float *out, float strike, float drift,
                        float volatility, int steps)
{
    local float sums[128];
    uint l = get_local_id(0), state = seeds[get_global_id(0)] | 1;
    float way = 0, sum = 0;

    for (int step = 0; step < steps; step += 2) {
        float a = ((next_random(&state) >> 8) + 0.5f) * 0x1p-24f;
        float b = (next_random(&state) >> 8) * 0x1p-24f;
        float radius = sqrt(-2.0f * log(a)), angle = 6.2831853f * b;
        way += drift + volatility * radius * cos(angle);
        sum += exp(way);
        way += drift + volatility * radius * sin(angle);
        sum += exp(way);
    }
    sums[l] = fmax(100.0f * sum / steps - strike, 0.0f);
    for (uint half_of = 64; half_of > 0; half_of /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_of)
            sums[l] += sums[l + half_of];
    }
    if (l == 0)
        out[get_group_id(0)] = sums[0] / 128;
}

#define RATES 24

/* Forward rates along a path a work-item, then the worth of what they pay. */
kernel void libor_paths(global const float *noise, constant float *volatilities,
                        global float *out, uint paths, int steps)
{
    float rates[RATES], worth = 0, discount = 1;
    uint i = get_global_id(0);

    for (int k = 0; k < RATES; k++)
        rates[k] = 0.05f;
    for (int step = 0; step < steps; step++) {
        float shock = 0.5f * noise[step * paths + i], drift = 0;
        for (int k = step + 1; k < RATES; k++) {
            float volatility = volatilities[k - step - 1], part = 0.25f * volatility;
            drift += part * rates[k] / (1.0f + 0.25f * rates[k]);
            rates[k] *= exp(part * drift + volatility * (shock - 0.5f * part));
        }
    }
    for (int k = steps; k < RATES; k++) {
        discount /= 1.0f + 0.25f * rates[k];
        worth += discount * fmax(rates[k] - 0.045f, 0.0f);
    }
    out[i] = 100.0f * worth;
}

/* Covariances of assets, of which only half are worked out. */
kernel void covariance(global const float *returns, global float *out, int assets, int days)
{
    int i = get_global_id(0), k = get_global_id(1);
    float mean_i = 0, mean_k = 0, sum = 0;

    if (k > i)
        return;
    for (int day = 0; day < days; day++) {
        mean_i += returns[day * assets + i];
        mean_k += returns[day * assets + k];
    }
    mean_i /= days;
    mean_k /= days;
    for (int day = 0; day < days; day++)
        sum += (returns[day * assets + i] - mean_i) * (returns[day * assets + k] - mean_k);
    out[i * assets + k] = out[k * assets + i] = sum / (days - 1);
}

/* Relative strength of a series a work-item, smoothed after Wilder, and a moving average. */
kernel void rsi_series(global const float *prices, global float2 *out, int series, int days,
                       int period)
{
    int i = get_global_id(0);
    float gain = 0, loss = 0, sum = 0, last = prices[i], rest = (period - 1.0f) / period;

    for (int day = 0; day < days; day++) {
        float price = prices[day * series + i], change = price - last;
        last = price;
        if (change > 0) {
            gain = gain * rest + change / period;
            loss *= rest;
        } else {
            loss = loss * rest - change / period;
            gain *= rest;
        }
        sum += price;
        if (day >= period)
            sum -= prices[(day - period) * series + i];
        float strength = gain / (loss + 0.01f);
        out[day * series + i] = (float2)(100.0f - 100.0f / (1.0f + strength),
                                         sum / min(day + 1, period));
    }
}

/* Orders of a share a work-item against its book: those who sell wait at 32 prices. */
kernel void order_match(global const uint *orders, global uint *filled, global ulong *turnover,
                        uint shares, uint count)
{
    uint book[32], best = 32, i = get_global_id(0), bought = 0;
    ulong paid = 0;

    for (uint k = 0; k < 32; k++)
        book[k] = 0;
    for (uint k = 0; k < count; k++) {
        uint order = orders[k * shares + i], price = order >> 8 & 31, amount = (order & 255) + 1;
        if (order >> 31) {
            book[price] += amount;
            best = min(best, price);
            continue;
        }
        while (amount > 0 && best <= price) {
            uint part = min(amount, book[best]);
            book[best] -= part;
            amount -= part;
            bought += part;
            paid += (ulong)part * (best + 100);
            while (best < 32 && book[best] == 0)
                best++;
        }
    }
    filled[i] = bought;
    turnover[i] = paid;
}
