import { sha256 } from '@cosmjs/crypto'
import { QueryDelegatorUnbondingDelegationsResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { ACCOUNT, At, accountInfo, type Node, nodeOf, RpcError, type Table } from './node.ts'
import { one, two, type Vector } from './vectors.ts'

const UNBONDINGS = '/cosmos.staking.v1beta1.Query/DelegatorUnbondingDelegations'

/** A transaction in a block of the tests. */
export interface LandedTransaction {
  readonly raw: Uint8Array
  readonly height: bigint
  /** @default 0 */
  readonly code?: number
  readonly codespace?: string
  readonly log?: string
  readonly events?: readonly Event[]
}

type Event = ReturnType<typeof event>

/** What one node of a chain knows. */
export interface History {
  readonly chainId: string
  readonly wallet: string
  /** Before the first of `landed`. */
  readonly sequence: bigint
  readonly head: bigint
  /** @default 1 */
  readonly lowest?: bigint
  readonly landed?: readonly LandedTransaction[]
  /** @default true */
  readonly index?: boolean
  /** Whether it keeps results of blocks. @default true */
  readonly results?: boolean
  readonly pool?: readonly Uint8Array[]
  /** What celestia-core says of what is in no block. */
  readonly remembers?: Readonly<Record<string, string>>
  /** Entries that began at a height, with the validator's. */
  readonly unbondings?: readonly { readonly validator: string; readonly height: bigint; readonly id: bigint }[]
  /** Height of the state that is asked; the head's unless a node lags with it. */
  readonly state?: bigint
}

export const signed = ({ body, authInfo, signature }: Vector): Uint8Array =>
  TxRaw.encode({ bodyBytes: hex(body), authInfoBytes: hex(authInfo), signatures: [hex(signature)] }).finish()

export const hashOf = (raw: Uint8Array): string => Buffer.from(sha256(raw)).toString('hex').toUpperCase()

export const event = (type: string, attributes: Readonly<Record<string, string>>) => ({
  type,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true })),
})

/** What the checks leave behind. */
export const paid = (wallet: string, sequence: bigint, fee: string): readonly Event[] => [
  event('tx', { fee, fee_payer: wallet }),
  event('tx', { acc_seq: `${wallet}/${sequence}` }),
]

/** A node that answers from a history, as CometBFT 0.38 and celestia-core do. */
export function historyNode(history: History, further: Table = {}): Node {
  return nodeOf({ ...tableOf(history), ...further })
}

export function tableOf(history: History): Table {
  const { chainId, head, lowest = 1n, landed = [], index = true, results = true, pool = [], remembers = {}, state = head } = history
  const known = landed.filter(({ height }) => height <= head)
  const held = known.filter(({ height }) => height >= lowest)
  const counted = landed.filter(({ height, events = [] }) => height <= state && events.length > 0)
  const hashIn = ({ hash }: { hash: string }) => Buffer.from(hash, 'base64').toString('hex').toUpperCase()
  const withIndex =
    <T>(answer: (params: any) => T) =>
    (params: any) =>
      index ? answer(params) : new RpcError('transaction indexing is disabled')
  const atHeight =
    <T>(answer: (height: bigint) => T) =>
    (params: any) => {
      const height = BigInt(params.height)
      if (height > head) return new RpcError(`height ${height} must be less than or equal to the current blockchain height ${head}`)
      return height < lowest ? new RpcError(`height ${height} is not available, lowest height is ${lowest}`) : answer(height)
    }
  /** Of the results of one hash the index keeps the latest, but for one that was a success. */
  const lastResult = (hash: string) => {
    const all = held.filter(({ raw }) => hashOf(raw) === hash)
    return all.find(({ code = 0 }) => code === 0) ?? all.at(-1)
  }
  const inBlock = (height: bigint) => known.filter((tx) => tx.height === height)
  const header = (height: bigint) => ({ chain_id: chainId, height: String(height), time: timeAt(height).toISOString() })
  return {
    status: {
      node_info: { network: chainId },
      sync_info: {
        catching_up: false,
        latest_block_time: timeAt(head).toISOString(),
        latest_block_height: String(head),
        earliest_block_height: String(lowest),
        earliest_block_time: timeAt(lowest).toISOString(),
      },
    },
    [ACCOUNT]: () => new At(state, accountInfo(history.wallet, numberOf(history.wallet), history.sequence + BigInt(counted.length))),
    [UNBONDINGS]: () =>
      new At(
        state,
        QueryDelegatorUnbondingDelegationsResponse.encode(
          QueryDelegatorUnbondingDelegationsResponse.fromPartial({
            unbondingResponses: (history.unbondings ?? []).map(({ validator, height, id }) => ({
              delegatorAddress: history.wallet,
              validatorAddress: validator,
              entries: [{ creationHeight: height, unbondingId: id, balance: '1', initialBalance: '1' }],
            })),
          }),
        ).finish(),
      ),
    tx: withIndex((params) => {
      const found = lastResult(hashIn(params))
      return found ? indexed(found, inBlock(found.height)) : new RpcError(`tx (${hashIn(params)}) not found`)
    }),
    tx_search: withIndex(({ query }) => {
      const wanted = /^tx\.acc_seq='(.*)'$/.exec(query)?.[1]
      const found = held.filter(({ events = [] }) =>
        events.some(({ attributes }) => attributes.some(({ key, value }) => key === 'acc_seq' && value === wanted)),
      )
      return {
        txs: found.map(({ raw }) => lastResult(hashOf(raw))!).map((tx) => indexed(tx, inBlock(tx.height))),
        total_count: String(found.length),
      }
    }),
    unconfirmed_txs: { n_txs: String(pool.length), total: String(pool.length), total_bytes: '0', txs: pool.map(base64) },
    tx_status: (params: any) => {
      const hash = hashIn(params)
      const found = held.findLast(({ raw }) => hashOf(raw) === hash)
      // Code space, gas and signers are left out where they are empty, as recorded of celestia-appd v6.2.5.
      const none = { height: '0', index: 0, execution_code: 0, error: '' }
      if (!found) return { ...none, status: pool.some((raw) => hashOf(raw) === hash) ? 'PENDING' : (remembers[hash] ?? 'UNKNOWN') }
      const { height, code = 0, codespace = '', log = '' } = found
      return {
        ...none,
        height: String(height),
        index: inBlock(height).indexOf(found),
        execution_code: code,
        error: log,
        ...(codespace === '' ? {} : { codespace }),
        signers: [history.wallet],
        status: 'COMMITTED',
      }
    },
    blockchain({ minHeight, maxHeight }: any) {
      const [min, max] = [larger(BigInt(minHeight), lowest), smaller(BigInt(maxHeight), head)]
      if (min > max) return new RpcError(`min height ${min} can't be greater than max height ${max}`)
      return { last_height: String(head), block_metas: [{ block_id: { hash: 'AB'.repeat(32) }, header: header(max), num_txs: '0' }] }
    },
    block: atHeight((height) => ({ block: { header: header(height), data: { txs: inBlock(height).map(({ raw }) => base64(raw)) } } })),
    block_results: atHeight((height) => {
      if (!results) return new RpcError('node is not persisting finalize block responses')
      return { height: String(height), txs_results: inBlock(height).map(resultOf), finalize_block_events: [] }
    }),
  }
}

/** Ends at the present of the tests, a second a block: a head of 1000 is live. */
export const timeAt = (height: bigint): Date => new Date(Date.UTC(2026, 10, 21, 11, 43, 10) + Number(height) * 1000)

function indexed(tx: LandedTransaction, block: readonly LandedTransaction[]) {
  const { raw, height } = tx
  return { hash: hashOf(raw), height: String(height), index: block.indexOf(tx), tx_result: resultOf(tx), tx: base64(raw) }
}

function resultOf({ code = 0, codespace = '', log = '', events = [] }: LandedTransaction) {
  return { code, data: null, log, info: '', gas_wanted: '1', gas_used: '1', events, codespace }
}

const base64 = (raw: Uint8Array) => Buffer.from(raw).toString('base64')
const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

function larger(a: bigint, b: bigint): bigint {
  if (a < b) return b
  return a
}

function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

/** Account number under which the vectors of an address are signed. */
function numberOf(address: string): bigint {
  return address === two.address ? two.accountNumber : one.accountNumber
}

/** Hub-one's stake with other bounds; its signature is not looked at. */
export function timed(change: Partial<TxBody>): Uint8Array {
  const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(signed(one.stake))
  return TxRaw.encode({
    bodyBytes: TxBody.encode({ ...TxBody.decode(bodyBytes), ...change }).finish(),
    authInfoBytes,
    signatures,
  }).finish()
}

/** Hub-one's stake with another sequence; its signature is not looked at. */
export function sequenced(sequence: bigint): Uint8Array {
  const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(signed(one.stake))
  const { signerInfos, ...rest } = AuthInfo.decode(authInfoBytes)
  const authInfo = AuthInfo.fromPartial({ ...rest, signerInfos: signerInfos.map((info) => ({ ...info, sequence })) })
  return TxRaw.encode({ bodyBytes, authInfoBytes: AuthInfo.encode(authInfo).finish(), signatures }).finish()
}
