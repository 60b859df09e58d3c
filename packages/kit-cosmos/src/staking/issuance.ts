import { EndpointError, MOST_UNITS, malformedAnswer } from '@svc/contract'
import { unanswered } from '@svc/contract/rpc'
import { Duration } from 'cosmjs-types/google/protobuf/duration'
import { integer, share } from '../answer.ts'
import type { Issuance } from '../chain.ts'
import { badGateway } from '../codes.ts'
import { asciiAt, contentOf, contentsOf } from '../fields.ts'
import { notServed } from '../not-served.ts'
import { DEC_SCALE } from './chain.ts'
import type { StakingContext } from './network.ts'

/** A year as yields are told: 365 days, in seconds. */
const YEAR = 31_536_000n
/** Longest time between two epochs, in seconds: a month. x/epochs has hours, days and weeks. @see https://github.com/osmosis-labs/osmosis/blob/main/x/epochs/types/genesis.go (DefaultGenesis, read 2026-11-23) */
const LONGEST_EPOCH = 2_678_400n
/** Most that rewards of a year can be of what is staked, times `DEC_SCALE`: 60 %. No chain of the family that is served pays half of it; a number of another form is far outside. */
export const MOST_RATE = (DEC_SCALE * 6n) / 10n

/** Rewards of all stakers in a year: as an amount, or as a rate of the total stake. Null where the chain does not tell. */
export type YearlyIssuance =
  /** Base units times `DEC_SCALE`, before the community tax. */
  | { readonly amount: bigint }
  /** Rewards of a year for a unit staked, times `DEC_SCALE`, after the community tax and before the commission. */
  | { readonly rate: bigint }
  | null

/** Names the queries that a form of issuance asks, as gRPC paths. */
export function issuanceQueries(issuance: Issuance): readonly string[] {
  switch (issuance.form) {
    case 'annual':
      return [pathOf(issuance.module, 'AnnualProvisions')]
    case 'epoch':
      return [pathOf(issuance.module, 'EpochProvisions'), pathOf(issuance.module, 'Params'), pathOf(issuance.epochs, 'EpochInfos')]
    case 'rate-of-bonded':
      return [pathOf(issuance.module, 'AnnualizedRewards')]
    case 'none':
      return []
  }
}

/**
 * Reads the amount or rate of rewards that stakers receive in a year, in one wave for every form.
 *
 * @throws 502, 503, 504; an answer that cannot be of its form is asked of the next endpoint, and is a 502 at the last
 */
export async function readIssuance(ctx: StakingContext, issuance: Issuance): Promise<YearlyIssuance> {
  const ask: Ask = (path, read) =>
    ctx.client.query({
      path,
      request: new Uint8Array(),
      read,
      refused(refusal) {
        if (notServed(refusal.log)) throw wrongForm(`does not answer ${path}`)
        throw unanswered(refusal)
      },
    })
  switch (issuance.form) {
    case 'annual':
      return { amount: await ask(pathOf(issuance.module, 'AnnualProvisions'), amountIn) }
    case 'epoch':
      return { amount: await readEpochs(ask, issuance) }
    case 'rate-of-bonded':
      return { rate: await ask(pathOf(issuance.module, 'AnnualizedRewards'), rateIn) }
    case 'none':
      return null
  }
}

const pathOf = (module: string, method: string) => `/${module}.Query/${method}`

type Ask = <T>(path: string, read: (answer: Uint8Array) => T) => Promise<T>

/** What an epoch mints, times the share of the stakers, times the epochs of a year. Numbers of fields: osmosis.mint.v1beta1.Params (3, 6), DistributionProportions (1) and epochs.v1beta1.EpochInfo (1, 3; read 2026-11-25). */
async function readEpochs(ask: Ask, { module, epochs }: Extract<Issuance, { form: 'epoch' }>): Promise<bigint> {
  const [minted, { identifier, stakers }, durations] = await Promise.all([
    ask(pathOf(module, 'EpochProvisions'), amountIn),
    ask(pathOf(module, 'Params'), (answer) => ({
      identifier: asciiAt(answer, 1, 3),
      stakers: share(asciiAt(answer, 1, 6, 1)),
    })),
    ask(pathOf(epochs, 'EpochInfos'), (answer) => new Map(contentsOf(answer, 1).map(epochIn))),
  ])
  const seconds = durations.get(identifier)
  if (seconds === undefined) throw wrongForm(`issues by an epoch called ${identifier.slice(0, 50)}, which x/epochs does not have`).refusal
  return (minted * stakers * YEAR) / (seconds * DEC_SCALE)
}

function epochIn(info: Uint8Array): readonly [identifier: string, seconds: bigint] {
  const { seconds } = Duration.decode(contentOf(info, 3))
  if (seconds < 1n || seconds > LONGEST_EPOCH) throw malformedAnswer(seconds)
  return [asciiAt(info, 1), seconds]
}

/** An amount of base units times `DEC_SCALE`. A rate is below one base unit, so that the one is never taken for the other. */
function amountIn(answer: Uint8Array): bigint {
  const amount = integer(asciiAt(answer, 1))
  if (amount > 0n && amount < DEC_SCALE) throw wrongForm('tells less than a base unit a year: a rate rather than an amount')
  if (amount > MOST_UNITS * DEC_SCALE) throw malformedAnswer(amount)
  return amount
}

function rateIn(answer: Uint8Array): bigint {
  const rate = integer(asciiAt(answer, 1))
  if (rate > MOST_RATE) throw wrongForm('tells a rate above 60 %: an amount rather than a rate')
  return rate
}

function wrongForm(what: string): EndpointError {
  return new EndpointError(
    'malformed',
    badGateway('ISSUANCE_FORM', `The chain ${what}. The issuance that this chain's data names has another form.`),
  )
}
