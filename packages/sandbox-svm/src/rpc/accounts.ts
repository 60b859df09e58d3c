import { membersOf } from '@svc/sandbox'
import { Reader, same } from '../bytes.ts'
import { fromBase58, toBase58 } from '../litesvm.ts'
import { sysvarOwner, tokenProgram } from '../programs.ts'
import { holdingOf, mintOf } from '../tokens.ts'
import type { SvmAccount } from '../types.ts'
import type { World } from '../world.ts'
import { inContext, slotOf } from './context.ts'
import { invalidParams, RpcError } from './error.ts'
import type { Method } from './method.ts'
import { addressOf, type Config, unknownVariant } from './params.ts'

/** Limits of a node. @see agave rpc-client-api, request.rs (read 2026-11-21) */
const maxAccounts = 100
const maxFilters = 4
const maxCompared = 128
const maxBase58 = 128
/** @see agave account-decoder-client-types, UiAccountEncoding (read 2026-11-25) */
const encodings = ['binary', 'base58', 'base64', 'jsonParsed', 'base64+zstd']
/** Rent epoch that a rent-exempt account shows: u64::MAX. */
const rentEpoch = Number(0xffff_ffff_ffff_ffffn)

/** Makes the methods of a node about accounts. */
export function accountMethods(world: World): Readonly<Record<string, Method>> {
  const { bank, pools } = world
  const accountOf = (address: string, slot: bigint) => bank.accountAt(address, slot) ?? pools.programAt(address)
  return {
    getBalance(params) {
      const slot = slotOf(world, params.config(1))
      return inContext(world, Number(accountOf(params.address(0), slot)?.lamports ?? 0n), slot)
    },
    getAccountInfo(params) {
      const config = params.config(1)
      const slot = slotOf(world, config)
      return inContext(world, encoded(accountOf(params.address(0), slot), config), slot)
    },
    getMultipleAccounts(params) {
      const config = params.config(1)
      const slot = slotOf(world, config)
      const accounts = params.addresses(0, maxAccounts).map((address) => encoded(accountOf(address, slot), config))
      return inContext(world, accounts, slot)
    },
    getProgramAccounts(params) {
      const program = params.address(0)
      const config = params.config(1)
      slotOf(world, config)
      if (!world.listsAccounts) {
        throw new RpcError(-32010, `${program} excluded from account secondary indexes; this RPC method unavailable for key`)
      }
      const matches = filterOf(config.filters)
      const match = bank
        .accountsOf(program)
        .filter(({ account }) => matches(account))
        .map(({ address, account }) => ({ pubkey: address, account: encoded(account, config) }))
      return config.withContext === true ? inContext(world, match) : match
    },
    getTokenAccountBalance(params) {
      slotOf(world, params.config(1))
      const account = bank.account(params.address(0))
      if (account === undefined) throw invalidParams('Invalid param: could not find account')
      const holding = holdingOf(account)
      if (holding === undefined) throw invalidParams('Invalid param: not a Token account')
      return inContext(world, tokenAmount(holding.amount, mintOf(bank.account(holding.mint))?.decimals ?? 0))
    },
    getTokenSupply(params) {
      slotOf(world, params.config(1))
      const account = bank.account(params.address(0))
      if (account === undefined) throw invalidParams('Invalid param: could not find account')
      const mint = mintOf(account)
      if (mint === undefined) throw invalidParams('Invalid param: not a Token mint')
      return inContext(world, tokenAmount(mint.supply, mint.decimals))
    },
    getTokenAccountsByOwner(params) {
      const owner = params.address(0)
      const { mint, programId } = params.config(1)
      const config = params.config(2)
      slotOf(world, config)
      if ((mint === undefined) === (programId === undefined)) throw invalidParams('Invalid param: either mint or programId is wanted')
      if (mint !== undefined && mintOf(bank.account(addressOf(mint))) === undefined) {
        throw invalidParams('Invalid param: could not find mint')
      }
      if (programId !== undefined && addressOf(programId) !== tokenProgram) {
        throw invalidParams('Invalid param: unrecognized Token program id')
      }
      const entries = bank.accountsOf(tokenProgram).flatMap(({ address, account }) => {
        const holding = holdingOf(account)
        const isMatch = holding?.owner === owner && (mint === undefined || holding.mint === mint)
        return isMatch ? [{ pubkey: address, account: encoded(account, config) }] : []
      })
      return inContext(world, entries)
    },
    getMinimumBalanceForRentExemption: (params) => Number(bank.rent(params.count(0))),
  }
}

/** Writes an account for an answer. `jsonParsed` falls back to base64, as it does for a program that the node does not know. */
export function encoded(account: SvmAccount | undefined, config: Config): Record<string, unknown> | null {
  if (account === undefined) return null
  const { encoding = 'binary' } = config
  const data = sliced(account.data, config.dataSlice)
  const shared = {
    lamports: Number(account.lamports),
    owner: account.owner,
    executable: account.executable,
    // A sysvar keeps the epoch in which it was made.
    rentEpoch: account.owner === sysvarOwner ? 0 : rentEpoch,
    space: account.data.length,
  }
  if (encoding === 'binary' || encoding === 'base58') {
    if (data.length > maxBase58) {
      throw new RpcError(-32600, 'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.')
    }
    return { ...shared, data: encoding === 'base58' ? [toBase58(data), 'base58'] : toBase58(data) }
  }
  if (encoding !== 'base64' && encoding !== 'jsonParsed') {
    if (encoding === 'base64+zstd') throw invalidParams('base64+zstd is an encoding of a node that the sandbox has not: please use base64.')
    throw unknownVariant(encoding, encodings)
  }
  return { ...shared, data: [Buffer.from(data).toString('base64'), 'base64'] }
}

function sliced(data: Uint8Array, slice: unknown): Uint8Array {
  if (slice === undefined || slice === null) return data
  const { offset, length } = membersOf(slice)
  if (!isCount(offset) || !isCount(length)) throw invalidParams('Invalid params: dataSlice needs an offset and a length.')
  return data.subarray(offset, offset + length)
}

/** Reads the filters of a search. @throws RpcError -32602 */
export function filterOf(filters: unknown): (account: SvmAccount) => boolean {
  if (filters === undefined || filters === null) return () => true
  if (!Array.isArray(filters)) throw invalidParams('Invalid params: filters must be a sequence.')
  if (filters.length > maxFilters) throw invalidParams(`Too many filters provided; max ${maxFilters}`)
  const all = filters.map(oneFilter)
  return (account) => all.every((matches) => matches(account))
}

function oneFilter(filter: unknown): (account: SvmAccount) => boolean {
  const { dataSize, memcmp, tokenAccountState } = membersOf(filter)
  if (dataSize !== undefined) {
    if (!isCount(dataSize)) throw invalidParams('Invalid params: dataSize must be an integer.')
    return ({ data }) => data.length === dataSize
  }
  if (tokenAccountState !== undefined || filter === 'tokenAccountState') return (account) => holdingOf(account) !== undefined
  if (memcmp === undefined) throw invalidParams('Invalid params: unknown filter, expected one of `dataSize`, `memcmp`.')
  const { offset, bytes, encoding = 'base58' } = membersOf(memcmp)
  if (!isCount(offset) || typeof bytes !== 'string') throw invalidParams('Invalid params: memcmp needs an offset and bytes.')
  const pattern = comparedBytes(bytes, encoding)
  return ({ data }) => data.length >= offset + pattern.length && same(new Reader(data, offset).take(pattern.length), pattern)
}

function comparedBytes(text: string, encoding: unknown): Uint8Array {
  const bytes = encoding === 'base64' ? Uint8Array.from(Buffer.from(text, 'base64')) : base58Bytes(text)
  if (bytes.length > maxCompared) throw invalidParams('Invalid param: DataTooLarge')
  return bytes
}

function base58Bytes(text: string): Uint8Array {
  try {
    return fromBase58(text)
  } catch {
    const index = text.search(/[^1-9A-HJ-NP-Za-km-z]/)
    throw invalidParams(`Invalid param: Base58DecodeError(InvalidCharacter { character: '${text.charAt(index)}', index: ${index} })`)
  }
}

/** Writes an amount of a token for an answer. */
export function tokenAmount(amount: bigint, decimals: number): Record<string, unknown> {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const uiAmountString = decimals === 0 ? digits : digits.slice(0, digits.length - decimals) + (fraction === '' ? '' : `.${fraction}`)
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
