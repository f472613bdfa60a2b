/* A small net of one hidden layer: what a sum over single men cannot say of how they stand to each other.
 *
 * Owns the layout, the running sums of the hidden units and the output.  A unit is the sum of its weights over all men,
 * as one side sees the board, clipped to 0..HF_NET_ONE and squared; the output is a sum over units, in points.
 * Invariant: no sum leaves its type, whatever stands on the board: the weights are checked for that before they get here
 * (nets.py).  Guarded by tests/search/test_net.py.
 */
#ifndef HALMA_FAST_NET_H
#define HALMA_FAST_NET_H

#include <stdint.h>

#include "planes.h"

enum {
    HF_NET_UNITS = 32,
    HF_NET_ONE = 181,     /* the greatest number whose square has 15 bits */
    HF_NET_FRACTION = 16, /* an output weight of so much is one point of a whole unit */
};

typedef struct {
    int16_t row[2][256][HF_NET_UNITS]; /* [own man, the other side's][square as the side sees it] */
    int16_t bias[HF_NET_UNITS];
    int16_t output[HF_NET_UNITS];
    int32_t output_bias;
    int32_t bound;       /* the output's greatest size, in points */
    uint8_t view[2][256]; /* where a side sees a square: o has the board turned by 180 degrees */
} Net;

/* The hidden units before clipping, as both sides see the board. */
typedef struct {
    int16_t unit[2][HF_NET_UNITS];
} NetSums;

/* Plain loops of a fixed length, which the compiler turns into vectors of whatever size there is. */

HF_INLINE void hf_net_fill(const Net *net, const Planes *x_men, const Planes *o_men, NetSums *sums)
{
    for (int side = 0; side < 2; side++) {
        int16_t *unit = sums->unit[side];
        memcpy(unit, net->bias, sizeof net->bias);
        for (int whose = 0; whose < 2; whose++) {
            const Planes *men = whose ? o_men : x_men;
            for (int plane = 0; plane < 4; plane++)
                for (uint64_t rest = men->w[plane]; rest; rest &= rest - 1) {
                    const int16_t *row = net->row[whose != side][net->view[side][64 * plane + hf_lowest(rest)]];
                    for (int k = 0; k < HF_NET_UNITS; k++)
                        unit[k] = (int16_t)(unit[k] + row[k]);
                }
        }
    }
}

/* The sums after a man of `mover` has gone from one square to another. */
HF_INLINE void hf_net_move(const Net *net, const NetSums *restrict before, int mover, int origin, int target,
                           NetSums *restrict after)
{
    for (int side = 0; side < 2; side++) {
        const int16_t *left = net->row[side != mover][net->view[side][origin]];
        const int16_t *reached = net->row[side != mover][net->view[side][target]];
        for (int k = 0; k < HF_NET_UNITS; k++)
            after->unit[side][k] = (int16_t)(before->unit[side][k] + reached[k] - left[k]);
    }
}

HF_INLINE int hf_net_same(const NetSums *a, const NetSums *b) { return memcmp(a, b, sizeof *a) == 0; }

/* Points for `side`, to be added to the linear evaluation. */
HF_INLINE int32_t hf_net_value(const Net *net, const NetSums *sums, int side)
{
    int16_t active[HF_NET_UNITS];
    int32_t sum = net->output_bias, value;
    for (int k = 0; k < HF_NET_UNITS; k++) {
        int16_t unit = sums->unit[side][k];
        unit = unit < 0 ? 0 : unit;
        unit = unit > HF_NET_ONE ? HF_NET_ONE : unit;
        active[k] = (int16_t)(unit * unit);
    }
    for (int k = 0; k < HF_NET_UNITS; k++)
        sum += active[k] * net->output[k];
    value = sum / (HF_NET_ONE * HF_NET_ONE * HF_NET_FRACTION);
    return value > net->bound ? net->bound : value < -net->bound ? -net->bound : value;
}

#endif
