import { slotMs, slotsPerEpoch } from '../bank.ts'
import { inflation, supply } from '../epochs.ts'
import type { World } from '../world.ts'
import { inContext, slotOf, version } from './context.ts'
import type { Method } from './method.ts'
import { commitmentOf } from './params.ts'

/** Seconds and number of the samples of performance. */
const sampleSeconds = 60
const samples = 720
/** Number of slots of which a node remembers fees. @see agave runtime, prioritization_fee_cache.rs */
const feeSlots = 150

/** Makes the methods of a node about itself and the cluster. */
export function clusterMethods(world: World): Readonly<Record<string, Method>> {
  const { bank } = world
  return {
    getHealth: () => 'ok',
    getVersion: () => version,
    getGenesisHash: () => world.genesisHash,
    getSlot(params) {
      return Number(slotOf(world, params.config(0)))
    },
    getBlockHeight(params) {
      const config = params.config(0)
      slotOf(world, config)
      return Number(world.votes.height(commitmentOf(config)))
    },
    getEpochInfo(params) {
      const config = params.config(0)
      const slot = slotOf(world, config)
      return {
        absoluteSlot: Number(slot),
        blockHeight: Number(world.votes.height(commitmentOf(config))),
        epoch: Number(slot / slotsPerEpoch),
        slotIndex: Number(slot % slotsPerEpoch),
        slotsInEpoch: Number(slotsPerEpoch),
        transactionCount: world.ledger.count,
      }
    },
    getEpochSchedule: () => ({
      slotsPerEpoch: Number(slotsPerEpoch),
      leaderScheduleSlotOffset: Number(slotsPerEpoch),
      warmup: false,
      firstNormalEpoch: 0,
      firstNormalSlot: 0,
    }),
    getLatestBlockhash(params) {
      slotOf(world, params.config(0))
      const blockhash = bank.hashes.latest
      return inContext(world, { blockhash, lastValidBlockHeight: Number(bank.hashes.lastValidHeight(blockhash)) })
    },
    isBlockhashValid(params) {
      slotOf(world, params.config(1))
      const last = bank.hashes.lastValidHeight(params.address(0))
      return inContext(world, last !== undefined && bank.height <= last)
    },
    getInflationRate: () => {
      const rate = Number(inflation.numerator) / Number(inflation.denominator)
      return { total: rate, validator: rate, foundation: 0, epoch: Number(bank.epoch) }
    },
    getInflationGovernor: () => ({ initial: 0.08, terminal: 0.015, taper: 0.15, foundation: 0, foundationTerm: 0 }),
    getSupply: () =>
      inContext(world, { total: Number(supply), circulating: Number(supply), nonCirculating: 0, nonCirculatingAccounts: [] }),
    getRecentPerformanceSamples(params) {
      const numSlots = Math.round((sampleSeconds * 1000) / Number(slotMs))
      const limit = params.has(0) ? params.count(0) : samples
      return Array.from({ length: Math.min(limit, samples) }, (_, index) => ({
        slot: Number(bank.slot) - index * numSlots,
        numTransactions: 250_000,
        numNonVoteTransactions: 90_000,
        numSlots,
        samplePeriodSecs: sampleSeconds,
      }))
    },
    getRecentPrioritizationFees(params) {
      if (params.has(0)) params.addresses(0, 128)
      return Array.from({ length: feeSlots }, (_, index) => ({
        slot: Number(bank.slot) - feeSlots + 1 + index,
        prioritizationFee: world.unitPrice,
      }))
    },
  }
}
