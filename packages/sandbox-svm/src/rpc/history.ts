import { compact, concat } from '../bytes.ts'
import type { Entry, Execution } from '../ledger.ts'
import { fromBase58, toBase58 } from '../litesvm.ts'
import { costUnits } from '../loaded.ts'
import type { WireTransaction } from '../message.ts'
import type { World } from '../world.ts'
import { inContext, slotOf } from './context.ts'
import { invalidParams, RpcError } from './error.ts'
import type { Method } from './method.ts'
import { lamportsOf, tokensOf } from './outcome.ts'
import { type Config, commitmentOf } from './params.ts'

/** Limits of a node. @see agave rpc-client-api, request.rs (read 2026-11-22) */
const maxStatuses = 256
const maxSignatures = 1000
/** Place of a transaction in its block, where it is the only one. */
const ONLY = 0
/** Code of a node from 4.0 on that does not know a signature to begin at. @see packages/testing/recordings/solana/signatures-before-unknown.json */
const TRANSACTION_NOT_FOUND = -32020

/** Makes the methods of a node about the transactions that it remembers. */
export function historyMethods(world: World): Readonly<Record<string, Method>> {
  const { ledger, votes } = world
  return {
    getSignatureStatuses(params) {
      const signatures = params.texts(0, maxStatuses).map(checkedSignature)
      const { searchTransactionHistory } = params.config(1)
      const rooted = votes.slot('finalized')
      return inContext(
        world,
        signatures.map((signature) => {
          const recent = ledger.recent(signature, rooted)
          if (recent !== undefined) return statusOf(world, recent)
          // Of the ledger only what is rooted is looked through.
          const old = searchTransactionHistory === true ? ledger.find(signature) : undefined
          return old === undefined || old.slot > rooted ? null : statusOf(world, old)
        }),
      )
    },
    getTransaction(params) {
      const signature = checkedSignature(params.text(0))
      const config = params.config(1)
      const entry = ledger.find(signature)
      if (entry?.execution === undefined || entry.slot > votes.slot(durableOf(config))) return null
      const { version } = entry.execution.transaction.message
      const { maxSupportedTransactionVersion: most } = config
      if (version !== 'legacy' && (typeof most !== 'number' || most < version)) {
        const right = `Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`
        throw new RpcError(-32015, `Transaction version (${version}) is not supported by the requesting client. ${right}`)
      }
      return {
        slot: Number(entry.slot),
        blockTime: Number(entry.time),
        transaction: encodedTransaction(entry.execution.transaction, config.encoding),
        meta: metaOf(world, entry, entry.execution),
        transactionIndex: ONLY,
        ...(most === undefined || most === null ? {} : { version }),
      }
    },
    getSignaturesForAddress(params) {
      const address = params.address(0)
      const config = params.config(1)
      slotOf(world, config)
      const { limit = maxSignatures, before, until } = config
      if (typeof limit !== 'number' || limit < 1 || limit > maxSignatures) {
        throw invalidParams(`Invalid limit; max ${maxSignatures}`)
      }
      const entries = ledger.of(address).filter(({ slot }) => slot <= votes.slot(durableOf(config)))
      const first = typeof before === 'string' ? ledger.find(before) : undefined
      if (typeof before === 'string' && first === undefined) throw new RpcError(TRANSACTION_NOT_FOUND, `Transaction ${before} not found`)
      // No two transactions share a slot here.
      const earlier = entries.filter(({ slot }) => first === undefined || slot < first.slot)
      const end = earlier.findIndex(({ signature }) => signature === until)
      return earlier
        .slice(0, end < 0 ? undefined : end)
        .slice(0, limit)
        .map(({ signature, slot, failure, time }) => ({
          signature,
          slot: Number(slot),
          err: failure ?? null,
          memo: null,
          blockTime: Number(time),
          confirmationStatus: votes.of(slot),
          transactionIndex: ONLY,
        }))
    },
    getFirstAvailableBlock: () => Number(ledger.firstSlot),
  }
}

function statusOf(world: World, { slot, failure }: Entry): Record<string, unknown> {
  const confirmationStatus = world.votes.of(slot)
  return {
    slot: Number(slot),
    confirmations: confirmationStatus === 'finalized' ? null : Number(world.bank.slot - slot),
    err: failure ?? null,
    status: failure === undefined ? { Ok: null } : { Err: failure },
    confirmationStatus,
  }
}

/** Returns the commitment of a search in the ledger: at least confirmed, and finalized unless it is said. @throws RpcError -32602 */
function durableOf(config: Config): 'confirmed' | 'finalized' {
  if (config.commitment === undefined || config.commitment === null) return 'finalized'
  const commitment = commitmentOf(config)
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`')
  return commitment
}

function encodedTransaction({ signatures, message }: WireTransaction, encoding: unknown = 'json'): unknown {
  const bytes = () => concat(compact(signatures.length), ...signatures, message.bytes)
  if (encoding === 'base64') return [Buffer.from(bytes()).toString('base64'), 'base64']
  if (encoding === 'base58') return [toBase58(bytes()), 'base58']
  if (encoding !== 'json') {
    throw invalidParams(`Invalid params: unknown variant \`${String(encoding)}\`, expected one of \`base58\`, \`base64\`, \`json\`.`)
  }
  const { signers, readonlySigners, readonlyOthers, keys, lifetime, instructions } = message
  return {
    signatures: signatures.map(toBase58),
    message: {
      header: { numRequiredSignatures: signers, numReadonlySignedAccounts: readonlySigners, numReadonlyUnsignedAccounts: readonlyOthers },
      accountKeys: keys,
      recentBlockhash: lifetime,
      instructions: instructions.map(({ program, accounts, data }) => ({
        programIdIndex: program,
        accounts,
        data: toBase58(data),
        stackHeight: 1,
      })),
    },
  }
}

function metaOf(world: World, { failure }: Entry, execution: Execution): Record<string, unknown> {
  const { transaction, fee, before, after, logs, units, loaded } = execution
  return {
    err: failure ?? null,
    status: failure === undefined ? { Ok: null } : { Err: failure },
    fee: Number(fee),
    preBalances: lamportsOf(before),
    postBalances: lamportsOf(after),
    innerInstructions: [],
    logMessages: logs,
    preTokenBalances: tokensOf(world, before),
    postTokenBalances: tokensOf(world, after),
    rewards: [],
    loadedAddresses: { writable: [], readonly: [] },
    computeUnitsConsumed: Number(units),
    costUnits: costUnits(transaction.message, units, loaded),
  }
}

function checkedSignature(text: string): string {
  if (base58Length(text) === 64) return text
  throw invalidParams('Invalid param: WrongSize')
}

function base58Length(text: string): number {
  try {
    return fromBase58(text).length
  } catch {
    throw invalidParams('Invalid param: Invalid')
  }
}
