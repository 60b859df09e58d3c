import { listOf, measureOf, memberOf } from './answers.ts'
import type { Rpc } from './rpc.ts'

/** Samples of a minute each that are asked for: half a day. */
const SAMPLES = 720

/**
 * What a node can say: an epoch has 432,000 slots of 0.35 s, and had 32 at its shortest.
 *
 * @see https://docs.rs/solana-epoch-schedule/latest/solana_epoch_schedule/ (read 2026-11-22)
 */
const POSSIBLE = { slotsInEpoch: { least: 32, most: 10_000_000 }, slotSeconds: { least: 0.05, most: 10 } } as const

/** The epoch that the chain is in. @throws 502, 503, 504. @see https://solana.com/docs/rpc/http/getepochinfo (read 2026-11-21) */
export async function readEpoch({ rpc }: { readonly rpc: Rpc }): Promise<{ readonly number: number; readonly slots: number }> {
  return rpc('getEpochInfo', [{ commitment: 'confirmed' }], (answer) => ({
    number: measureOf(memberOf(answer, 'epoch')),
    slots: measureOf(memberOf(answer, 'slotsInEpoch'), POSSIBLE.slotsInEpoch),
  }))
}

/**
 * Seconds of a slot, over the last hours.
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
