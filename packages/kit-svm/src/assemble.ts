import { type Assembly, type KitContext, requireFee, requireFunds, type Token, tokensText } from '@svc/contract'
import type { Static } from 'typebox'
import type { SvmClient } from './client.ts'
import { badRequest, unavailable } from './codes.ts'
import type { SvmDraft } from './draft.ts'
import { signed } from './ephemeral.ts'
import { LAST_HEIGHT } from './last-height.ts'
import { bytesOf, messageOf } from './message.ts'
import type { SvmPreflight } from './preflight.ts'
import { meaningOf, refused } from './refusal.ts'
import type { SvmSettings } from './settings.ts'
import { MOST_UNITS, simulate } from './simulate.ts'
import { unitPriceOf } from './unit-price.ts'
import type { SvmWire } from './wire.ts'

/** Lamports for each signature. @see https://solana.com/docs/core/fees (read 2026-11-21) */
const SIGNATURE_FEE = 5000n
/** Compute units of an instruction of the System program. @see https://docs.rs/solana-system-program/latest/solana_system_program/system_processor/constant.DEFAULT_COMPUTE_UNITS.html (read 2026-11-21) */
const NONCE_UNITS = 150
const MICRO = 1_000_000n

/**
 * Makes the unsigned legacy transaction of a draft. Simulation and price are asked together with the preflight's questions.
 *
 * @throws 400 INSUFFICIENT_BALANCE, CHAIN_WOULD_REFUSE and what else programs refuse; 503 FEE_ABOVE_CAP, EPOCH_REWARDS
 */
export async function assembleSvm(
  ctx: KitContext<SvmClient, SvmSettings>,
  draft: SvmDraft,
  preflight: Promise<SvmPreflight>,
): Promise<Assembly<Static<SvmWire['unsigned']>>> {
  const { network } = ctx
  const [live, simulation, price] = await Promise.allSettled([preflight, simulate(ctx, draft), unitPriceOf(ctx, writableOf(draft))])
  if (live.status === 'rejected') throw live.reason
  const { blockhash, lastValidBlockHeight, nonce } = live.value
  const signatureFee = SIGNATURE_FEE * (draft.ephemeral ? 2n : 1n)
  requireCover(draft, live.value, signatureFee, network)

  if (simulation.status === 'rejected') throw simulation.reason
  const { err, units, programs } = simulation.value
  if (err !== null) {
    // A draft may rest on a rent that was remembered: the next one does not.
    ctx.client.forgetRents()
    throw refused(meaningOf(simulation.value, programs, draft.errors), 'The chain would refuse this transaction', 'CHAIN_WOULD_REFUSE', err)
  }
  if (price.status === 'rejected') throw price.reason

  const unitPrice = price.value
  const unitLimit = units === null ? draft.unitLimit : limitOf(units + (nonce ? NONCE_UNITS : 0), network.unit_limit_percent)
  const fee = signatureFee + (BigInt(unitLimit) * BigInt(unitPrice) + MICRO - 1n) / MICRO
  requireFee(fee, network)
  const ceiling = signatureFee * BigInt(network.fee_ceiling)
  if (fee > ceiling) {
    throw unavailable(
      'FEE_ABOVE_CAP',
      `The network's fee is now ${tokensText(fee, network)}, more than ${network.fee_ceiling} times the ${tokensText(signatureFee, network)} that signatures cost (fee_ceiling); try again when fees have fallen.`,
      60,
    )
  }
  requireCover(draft, live.value, fee, network)

  const message = messageOf(draft, { blockhash, nonce, unitLimit, unitPrice })
  const { ephemeral } = draft
  const signatures = ephemeral ? { [ephemeral.publicKey.toBase58()]: signed(message.bytes, ephemeral) } : {}
  return {
    unsigned: { unsigned_tx_hex: bytesOf(message, signatures).toString('hex') },
    terms: {
      ...(nonce ? { nonce: nonce.value } : { blockhash }),
      ...(lastValidBlockHeight === undefined ? {} : { [LAST_HEIGHT]: lastValidBlockHeight }),
      unitLimit: BigInt(unitLimit),
      unitPrice: BigInt(unitPrice),
      ...(ephemeral ? { signed: ephemeral.publicKey.toBase58() } : {}),
    },
  }
}

/** With a margin, since a program may take another way through its code by the time the transaction lands. */
function limitOf(units: number, percent: number): number {
  return Math.min(Math.ceil((units * percent) / 100), MOST_UNITS)
}

function writableOf({ feePayer, instructions }: SvmDraft): readonly string[] {
  const keys = instructions.flatMap(({ keys }) => keys.filter(({ isWritable }) => isWritable).map(({ pubkey }) => pubkey.toBase58()))
  return [...new Set([feePayer, ...keys])]
}

/**
 * A wallet must cover all that leaves it, and is left with nothing, or with the rent of an account without data: between the two the
 * chain refuses. That holds when the fee is taken, before anything comes in, as well as at the end.
 *
 * @throws 400 INSUFFICIENT_BALANCE
 */
function requireCover({ feePayer, spends }: SvmDraft, { balance, leastBalance }: SvmPreflight, fee: bigint, token: Token): void {
  requireFunds({ address: feePayer, holds: balance, amount: spends, fee, what: 'amount and rent' }, token)
  const left = balance - spends - fee
  if (left === 0n || left >= leastBalance) return
  throw badRequest(
    'INSUFFICIENT_BALANCE',
    `${feePayer} holds ${tokensText(balance, token)}; it would be left with ${tokensText(left, token)}, where the chain takes nothing at all or at least ${tokensText(leastBalance, token)}.`,
  )
}
