import { membersOf, present, reasonOf } from '@svc/sandbox'
import { feeOf } from '../budget.ts'
import { failureText } from '../failure.ts'
import { fromBase58 } from '../litesvm.ts'
import { isSane, maxTransaction, readMessage, readTransaction, type WireTransaction } from '../message.ts'
import { system } from '../programs.ts'
import { isSigned, type Simulation, signatureOf } from '../transactions.ts'
import type { World } from '../world.ts'
import { encoded } from './accounts.ts'
import { inContext, slotOf } from './context.ts'
import { invalidParams, RpcError } from './error.ts'
import type { Method } from './method.ts'
import { preflightOf, simulationOf } from './outcome.ts'
import { addressOf, type Config, type Params, unknownVariant } from './params.ts'

/** Encodings that the node knows, of which it takes two. @see agave transaction-status-client-types, UiTransactionEncoding (read 2026-11-25) */
const encodings: readonly unknown[] = ['binary', 'base64', 'base58', 'json', 'jsonParsed']
/** Most characters of a transaction. @see agave rpc, MAX_BASE58_SIZE and MAX_BASE64_SIZE (read 2026-11-21) */
const maxText = { base58: 1683, base64: 1644 } as const

/** Answer of a node on a signature that is not by its key over these bytes; the node looks no further. */
const forged: Simulation = { failure: 'SignatureFailure', logs: [], units: 0n, returnData: undefined, accounts: new Map() }

/** Makes the methods of a node on transactions. */
export function transactionMethods(world: World): Readonly<Record<string, Method>> {
  const { bank, transactions, queue } = world
  return {
    sendTransaction(params) {
      const config = params.config(1)
      const transaction = readWire(params, config)
      slotOf(world, config)
      if (!isSane(transaction)) throw unsane()
      const signature = signatureOf(transaction)
      if (config.skipPreflight !== true) {
        const simulation = isSigned(transaction) ? transactions.simulate(transaction) : forged
        if (simulation.failure !== undefined) throw preflightFailure(world, transaction, simulation)
      }
      // Nobody tells the sender: a transaction without its signatures, or with something behind it, is dropped on its way.
      if (transaction.isWhole && isSigned(transaction)) queue.take(transaction)
      return signature
    },
    simulateTransaction(params) {
      const config = params.config(1)
      const transaction = readWire(params, config)
      slotOf(world, config)
      const { sigVerify = false, replaceRecentBlockhash = false } = config
      if (sigVerify === true && replaceRecentBlockhash === true) {
        throw invalidParams('sigVerify may not be used with replaceRecentBlockhash')
      }
      if (!isSane(transaction)) throw unsane()
      const addresses = accountsOf(config)
      const isForged = sigVerify === true && !isSigned(transaction)
      const simulation = isForged ? forged : transactions.simulate(transaction, { anyLifetime: replaceRecentBlockhash === true })
      const blockhash = bank.hashes.latest
      const replacement = { blockhash, lastValidBlockHeight: Number(bank.hashes.lastValidHeight(blockhash)) }
      return inContext(world, {
        ...simulationOf(world, transaction.message, simulation),
        accounts:
          addresses === undefined ? null : addresses.addresses.map((address) => accountAfter(world, simulation, address, addresses.config)),
        ...(replaceRecentBlockhash === true ? { replacementBlockhash: replacement } : {}),
      })
    },
    getFeeForMessage(params) {
      slotOf(world, params.config(1))
      const message = readOr(() => readMessage(base64(params.text(0))), 'solana_message::versions::VersionedMessage')
      const isKnown = bank.hashes.lastValidHeight(message.lifetime) !== undefined
      return inContext(world, isKnown ? Number(feeOf(message)) : null)
    },
    requestAirdrop(params) {
      if (world.chainId === 'mainnet-beta') throw new RpcError(-32601, 'Method not found')
      const to = params.address(0)
      const lamports = BigInt(params.count(1))
      const before = bank.account(to) ?? { lamports: 0n, owner: system, data: new Uint8Array(), executable: false }
      return transactions.record(() => bank.setAccount(to, { ...before, lamports: before.lamports + lamports }))
    },
  }
}

/** @throws RpcError -32602 */
function readWire(params: Params, config: Config): WireTransaction {
  const { encoding = 'base58' } = config
  const text = params.text(0)
  if (!encodings.includes(encoding)) throw unknownVariant(encoding, encodings)
  if (encoding !== 'base58' && encoding !== 'base64') {
    throw invalidParams(`unsupported encoding: ${String(encoding)}. Supported encodings: base58, base64`)
  }
  const limit = maxText[encoding]
  if (text.length > limit) {
    const why = `${encoding} encoded solana_transaction::versioned::VersionedTransaction too large`
    throw invalidParams(`${why}: ${text.length} bytes (max: encoded/raw ${limit}/${maxTransaction})`)
  }
  const bytes = encoding === 'base64' ? base64(text) : base58(text)
  if (bytes.length > maxTransaction) {
    const why = 'decoded solana_transaction::versioned::VersionedTransaction too large'
    throw invalidParams(`${why}: ${bytes.length} bytes (max: ${maxTransaction} bytes)`)
  }
  return readOr(() => readTransaction(bytes), 'solana_transaction::versioned::VersionedTransaction')
}

function readOr<Read>(read: () => Read, what: string): Read {
  try {
    return read()
  } catch (error) {
    throw invalidParams(`failed to deserialize ${what}: ${reasonOf(error)}`)
  }
}

function base64(text: string): Uint8Array {
  const foreign = text.search(/[^A-Za-z0-9+/=]/)
  if (foreign >= 0) throw invalidParams(`invalid base64 encoding: InvalidByte(${foreign}, ${text.charCodeAt(foreign)})`)
  if (!/^[^=]*={0,2}$/.test(text) || text.length % 4 !== 0) throw invalidParams('invalid base64 encoding: InvalidPadding')
  return Uint8Array.from(Buffer.from(text, 'base64'))
}

function base58(text: string): Uint8Array {
  try {
    return fromBase58(text)
  } catch {
    throw invalidParams('invalid base58 encoding: InvalidCharacter')
  }
}

function unsane(): RpcError {
  return invalidParams('invalid transaction: Transaction failed to sanitize accounts offsets correctly')
}

function preflightFailure(world: World, { message }: WireTransaction, simulation: Simulation): RpcError {
  const text = `Transaction simulation failed: ${failureText(present(simulation.failure, 'a failure'))}`
  return new RpcError(-32002, text, preflightOf(world, message, simulation))
}

function accountsOf({ accounts }: Config): { addresses: string[]; config: Config } | undefined {
  if (accounts === undefined || accounts === null) return undefined
  const { addresses, encoding = 'base64' } = membersOf(accounts)
  if (!Array.isArray(addresses)) throw invalidParams('Invalid params: accounts needs addresses.')
  if (encoding === 'binary' || encoding === 'base58') throw invalidParams('base58 encoding not supported')
  return { addresses: addresses.map(addressOf), config: { encoding } }
}

function accountAfter(world: World, { failure, accounts }: Simulation, address: string, config: Config): unknown {
  if (failure !== undefined) return null
  const after = accounts.get(address) ?? world.bank.account(address)
  return encoded(after === undefined || after.lamports === 0n ? undefined : after, config)
}
