import type { Keypair, TransactionInstruction } from '@solana/web3.js'
import { type Assembled, badRequest, formatAmount, type KitContext, unavailable } from '@svc/contract'
import type { Static } from 'typebox'
import type { SvmClient } from './client.ts'
import { DECIMALS } from './decimals.ts'
import { signed } from './ephemeral.ts'
import type { ErrorTable } from './errors/table.ts'
import type { SvmLifetime } from './lifetime.ts'
import { bytesOf, messageOf } from './message.ts'
import { meaningOf, refused } from './refusal.ts'
import type { SvmNetwork } from './settings.ts'
import { MOST_UNITS, simulate } from './simulate.ts'
import { unitPriceOf } from './unit-price.ts'
import type { SvmWire } from './wire.ts'

/** A transaction in the family's own words. */
export interface SvmDraft {
  /** Who signs and pays the fee. */
  readonly feePayer: string
  /** Without those of the compute budget and the nonce, which are put before them. */
  readonly instructions: readonly TransactionInstruction[]
  /** Key of an account that the transaction makes; it signs that, and is forgotten. */
  readonly ephemeral?: Keypair
  /** Compute units to allow when the node does not say how many the simulation used. */
  readonly unitLimit: number
  /** Lamports that the instructions take out of the wallet: transfers and rent, without the fee. */
  readonly spends: bigint
  /** Errors of programs that the kit does not know, by the programs' addresses. */
  readonly errors?: Readonly<Record<string, ErrorTable>>
}

/** Lamports for each signature. @see https://solana.com/docs/core/fees (read 2026-11-21) */
const SIGNATURE_FEE = 5000n
/** Compute units of an instruction of the System program. @see https://docs.rs/solana-system-program/latest/solana_system_program/system_processor/constant.DEFAULT_COMPUTE_UNITS.html (read 2026-11-21) */
const NONCE_UNITS = 150
const MICRO = 1_000_000n

/**
 * Draft to unsigned legacy transaction. Simulation and price leave together with the lifetime's questions.
 *
 * @throws 400 INSUFFICIENT_BALANCE, CHAIN_WOULD_REFUSE and what else programs refuse; 503 FEE_ABOVE_CAP, EPOCH_REWARDS
 */
export async function assembleSvm(
  ctx: KitContext<SvmClient>,
  draft: SvmDraft,
  lifetime: Promise<SvmLifetime>,
): Promise<Assembled<Static<SvmWire['unsigned']>>> {
  const network = ctx.network as SvmNetwork
  const [live, simulation, price] = await Promise.allSettled([lifetime, simulate(ctx, draft), unitPriceOf(ctx, writableOf(draft))])
  if (live.status === 'rejected') throw live.reason
  const { blockhash, nonce } = live.value
  const signatureFee = SIGNATURE_FEE * (draft.ephemeral ? 2n : 1n)
  requireFunds(draft, live.value, signatureFee)

  if (simulation.status === 'rejected') throw simulation.reason
  const { err, units, programs } = simulation.value
  if (err !== null) {
    throw refused(meaningOf(simulation.value, programs, draft.errors), 'The chain would refuse this transaction', 'CHAIN_WOULD_REFUSE', err)
  }
  if (price.status === 'rejected') throw price.reason

  const unitPrice = price.value
  const unitLimit = units === null ? draft.unitLimit : limitOf(units + (nonce ? NONCE_UNITS : 0), network.unit_limit_percent)
  const fee = signatureFee + (BigInt(unitLimit) * BigInt(unitPrice) + MICRO - 1n) / MICRO
  if (fee > network.maxFee) {
    throw unavailable(
      'FEE_ABOVE_CAP',
      `The network's fee is now ${sol(fee)}, above the operator's cap of ${sol(network.maxFee)}; try again when fees have fallen.`,
      60,
    )
  }
  requireFunds(draft, live.value, fee)

  const message = messageOf(draft, { blockhash, nonce, unitLimit, unitPrice })
  const { ephemeral } = draft
  const signatures = ephemeral ? { [ephemeral.publicKey.toBase58()]: signed(message.bytes, ephemeral) } : {}
  return {
    unsigned: { unsigned_tx_hex: bytesOf(message, signatures).toString('hex') },
    terms: {
      ...(nonce ? { nonce: nonce.value } : { blockhash }),
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
function requireFunds({ feePayer, spends }: SvmDraft, { balance, leastBalance }: SvmLifetime, fee: bigint): void {
  const needed = spends + fee
  const parts = spends === 0n ? `the fee of ${sol(fee)}` : `${sol(needed)} (${sol(spends)} with rent, and the fee of ${sol(fee)})`
  if (balance < needed) throw badRequest('INSUFFICIENT_BALANCE', `${feePayer} holds ${sol(balance)}, which does not cover ${parts}.`)
  const left = balance - needed
  if (left === 0n || left >= leastBalance) return
  throw badRequest(
    'INSUFFICIENT_BALANCE',
    `${feePayer} holds ${sol(balance)}; after ${parts} it would be left with ${sol(left)}, where the chain takes nothing at all or at least ${sol(leastBalance)}.`,
  )
}

function sol(lamports: bigint): string {
  return `${formatAmount(lamports, DECIMALS)} SOL`
}
