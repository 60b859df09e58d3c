import { listOf, measureOf, memberOf } from './answers.ts'
import type { Rpc } from './rpc.ts'

/** Samples of a minute each that are asked for: half a day. */
const SAMPLES = 720

/**
 * Range of what a node can say: an epoch has 432,000 slots of 0.35 s, and had 32 at its shortest.
 *
 * @see https://docs.rs/solana-epoch-schedule/latest/solana_epoch_schedule/ (read 2026-11-22)
 */
const POSSIBLE = { slotsInEpoch: { least: 32, most: 10_000_000 }, slotSeconds: { least: 0.05, most: 10 } } as const

/** Blocks for which a block hash is taken. @see https://docs.rs/solana-clock/latest/solana_clock/constant.MAX_PROCESSING_AGE.html (read 2026-11-21) */
export const LIFE_BLOCKS = 150
/** Seconds of a slot as validators are set to make them, for estimates. @see SIMD-0525, in force since epoch 1020 (read 2026-11-21) */
export const SLOT_SECONDS = 0.35

/** The epoch that the chain is in. */
export interface Epoch {
  readonly number: number
  readonly slots: number
  /** Slots of it that are over. */
  readonly over: number
}

/**
 * Reads the present epoch.
 *
 * @param commitment state that is read. @default confirmed
 * @throws 502, 503, 504
 * @see https://solana.com/docs/rpc/http/getepochinfo (read 2026-11-21)
 */
export async function readEpoch({ rpc }: { readonly rpc: Rpc }, commitment: 'confirmed' | 'finalized' = 'confirmed'): Promise<Epoch> {
  return rpc('getEpochInfo', [{ commitment }], (answer) => {
    const slots = measureOf(memberOf(answer, 'slotsInEpoch'), POSSIBLE.slotsInEpoch)
    return { number: measureOf(memberOf(answer, 'epoch')), slots, over: measureOf(memberOf(answer, 'slotIndex'), { most: slots }) }
  })
}

/**
 * Reads the average time of a slot over the last hours, in seconds.
 *
 * @throws 502, 503, 504
 * @see https://solana.com/docs/rpc/http/getrecentperformancesamples (read 2026-11-21)
 */
export async function readSlotSeconds({ rpc }: { readonly rpc: Rpc }): Promise<number> {
  return rpc('getRecentPerformanceSamples', [SAMPLES], (samples) => {
    const sum = (name: string) => listOf(samples).reduce<number>((total, sample) => total + measureOf(memberOf(sample, name)), 0)
    return measureOf(sum('samplePeriodSecs') / sum('numSlots'), POSSIBLE.slotSeconds)
  })
}
