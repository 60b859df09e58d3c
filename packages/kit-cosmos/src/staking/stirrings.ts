import { itemsOf, malformedAnswer, membersOf } from '@svc/contract'
import type { Stirring, Stirrings } from '@svc/contract/control'
import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { CosmosChain } from '../chain.ts'
import { contentsOf } from '../fields.ts'
import { NotHeld } from '../life/history-fault.ts'
import { hashOf } from '../life/transaction-lookup.ts'
import { heightOf, readReach } from '../node-status.ts'
import { type StakingContext, validatorsOf } from './network.ts'

type Chain = Pick<CosmosChain, 'prefix' | 'parksRewards'>

/** Transactions of one answer: CometBFT's largest page. Where there are more, the next search goes on with them. */
const PAGE = 100
/** Blocks that are searched twice: a node's index, and the node that reads a position then, may be behind the head by so many. A minute of the Hub, half of one of Celestia. */
const OVERLAP = 10n
/** Most messages of a transaction that are looked at, and how deep they may lie in one another. */
const MOST_MESSAGES = 1_000
const MOST_DEPTH = 3

/**
 * Acts that take stake from its validator, or give somebody else power over it: names of messages whose first field is the account that acts. What puts stake in, claims or
 * votes changes nothing that is told.
 *
 * @see https://github.com/cosmos/cosmos-sdk/tree/v0.53.8/proto/cosmos (staking, distribution, authz: tx.proto) and gaia v25, x/liquid (MsgTokenizeShares; read 2026-11-29)
 */
const ACTS: ReadonlySet<string> = new Set([
  'MsgUndelegate',
  'MsgBeginRedelegate',
  'MsgCancelUnbondingDelegation',
  'MsgTokenizeShares',
  'MsgSetWithdrawAddress',
  'MsgGrant',
  'MsgRevoke',
])

/**
 * Searches a node's index of transactions for accounts that have taken stake from the operator's validators, or given power away, in one batch: a search for each
 * validator, one for withdraw addresses and one for grants, of the whole chain. An event that names no delegator leads to the message that does, also within MsgExec.
 *
 * @returns null where no endpoint has an index
 * @throws 502, 503, 504
 */
export async function stakingStirrings(ctx: StakingContext, chain: Chain, after: bigint | null): Promise<Stirrings | null> {
  const reach = ctx.client.rpc.call('status', [], readReach)
  if (after === null) return { wallets: [], height: (await reach).head }
  const from = after - OVERLAP
  try {
    const [{ head }, ...pages] = await Promise.all([
      reach,
      ...eventsOf(ctx, chain).map((event) => searchFor(ctx, chain, `${event} AND tx.height>${from < 0n ? 0n : from}`)),
    ])
    const ends = pages.flatMap(({ end }) => end ?? [])
    const least = ends.toSorted((one, other) => Number(one - other))[0] ?? head
    // A page that is full goes on with its last height; of more transactions in one block than it holds, with the next one.
    return {
      wallets: pages.flatMap(({ stirrings }) => stirrings),
      ...(ends.length === 0 ? { height: head } : { height: larger(after + 1n, least + OVERLAP - 1n), isPart: true }),
    }
  } catch (error) {
    if (error instanceof NotHeld) return null
    throw error
  }
}

/**
 * Conditions that find the acts. Whatever takes stake from a validator settles the rewards of the delegation first, unless the chain parks them.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/distribution/keeper/hooks.go (BeforeDelegationSharesModified, read 2026-11-29)
 */
export function eventsOf({ network }: StakingContext, { parksRewards = false }: Chain): readonly string[] {
  const exits = parksRewards ? ['unbond.validator', 'redelegate.source_validator'] : ['withdraw_rewards.validator']
  return [
    ...validatorsOf(network).flatMap((validator) => exits.map((key) => `${key}='${validator}'`)),
    'set_withdraw_address.withdraw_address EXISTS',
    'cosmos.authz.v1beta1.EventGrant.granter EXISTS',
  ]
}

/** One answer: the accounts of its acts, and the height of its last transaction where there may be more; null: there are no more. */
interface Page {
  readonly stirrings: readonly Stirring[]
  readonly end: bigint | null
}

/** @throws NotHeld where no endpoint has an index */
function searchFor({ client }: StakingContext, { prefix }: Chain, query: string): Promise<Page> {
  const params = { query, prove: false, page: '1', per_page: String(PAGE), order_by: 'asc' }
  const read = (result: unknown): Page => {
    const txs = itemsOf(membersOf(result).txs ?? [])
    if (txs.length > PAGE) throw malformedAnswer(result)
    const stirrings = txs.flatMap((entry) => stirringsIn(entry, prefix))
    return { stirrings, end: txs.length < PAGE ? null : heightOf(membersOf(txs.at(-1)).height) }
  }
  // An endpoint without an index is followed by the next one.
  return client.rpc.call('tx_search', params, read, 'along', (answer) => !('value' in answer))
}

/** Finds the accounts whose acts a transaction holds. @param entry transaction in base64 and its height, as a node tells both @throws EndpointError for what is none */
export function stirringsIn(entry: unknown, prefix: string): readonly Stirring[] {
  const account = new RegExp(`^${prefix}1[0-9a-z]{38,58}$`)
  const { tx, height } = membersOf(entry)
  if (hashOf(tx) === null) throw malformedAnswer(entry)
  return actorsOf(Buffer.from(String(tx), 'base64')).flatMap((wallet) =>
    account.test(wallet) ? [{ wallet, height: heightOf(height) }] : [],
  )
}

/** Accounts whose acts a transaction holds, each as often as it acts. */
function actorsOf(tx: Uint8Array): readonly string[] {
  const messages: Any[] = []
  const add = (list: readonly Any[], depth: number) => {
    for (const message of list) {
      if (messages.length >= MOST_MESSAGES) return
      messages.push(message)
      if (message.typeUrl === MsgExec.typeUrl && depth < MOST_DEPTH) add(MsgExec.decode(message.value).msgs, depth + 1)
    }
  }
  add(TxBody.decode(TxRaw.decode(tx).bodyBytes).messages, 0)
  return messages
    .filter(({ typeUrl }) => ACTS.has(typeUrl.slice(typeUrl.lastIndexOf('.') + 1)))
    .flatMap(({ value }) => contentsOf(value, 1).map((text) => Buffer.from(text).toString('latin1')))
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
