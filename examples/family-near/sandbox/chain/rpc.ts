import type { RequestListener } from 'node:http'
import { membersOf, readBody, sendJson } from '@svc/sandbox'
import { readSigned } from './bytes.ts'
import type { Landed, Node } from './node.ts'
import { Invalid } from './transaction.ts'
import { GAS_PRICE } from './units.ts'

/** An error of the RPC: `cause.name` and what goes along. */
class Refusal extends Error {
  readonly data: unknown
  constructor(name: string, data: unknown = null) {
    super(name)
    this.data = data
  }
}

/** Most bytes of a request. */
const MOST = 4_000_000

/** Answers as a node does, one question a request. @see https://docs.near.org/api/rpc/introduction (read 2026-11-23) */
export function rpcOf(node: Node): RequestListener {
  return (request, response) => {
    void (async () => {
      const body = await readBody(request, MOST)
      const { id = null, method, params } = membersOf(parsed(body ?? ''))
      const answer = (rest: object) => sendJson(response, 200, { jsonrpc: '2.0', ...rest, id })
      // Nodes take no batches.
      if (typeof method !== 'string')
        return answer({
          error: { name: 'REQUEST_VALIDATION_ERROR', cause: { name: 'PARSE_ERROR', info: {} }, code: -32_700, message: 'Parse error' },
        })
      try {
        answer({ result: resultOf(node, method, params) })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        if (error.message === 'METHOD_NOT_FOUND')
          return answer({
            error: {
              name: 'REQUEST_VALIDATION_ERROR',
              cause: { name: 'METHOD_NOT_FOUND', info: { method_name: method } },
              code: -32_601,
              message: 'Method not found',
              data: method,
            },
          })
        answer({
          error: {
            name: 'HANDLER_ERROR',
            cause: { name: error.message, info: {} },
            code: -32_000,
            message: 'Server error',
            data: error.data,
          },
        })
      }
    })().catch((error: unknown) => sendJson(response, 500, { error: String(error) }))
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function resultOf(node: Node, method: string, params: unknown): unknown {
  const members = membersOf(params)
  switch (method) {
    case 'status':
      return statusOf(node)
    case 'block':
      return { author: 'other-one.poolv1.near', header: headerOf(node, blockOf(node, members.block_id)), chunks: [] }
    case 'gas_price':
      return { gas_price: String(GAS_PRICE) }
    case 'validators':
      return validatorsOf(node)
    case 'query':
      return queryOf(node, members)
    case 'send_tx':
      return sendOf(node, members)
    case 'tx':
      return lookedUp(node, members)
    default:
      throw new Refusal('METHOD_NOT_FOUND')
  }
}

function statusOf(node: Node): object {
  const time = (ms: number) => new Date(ms).toISOString().replace('Z', '000000Z')
  return {
    version: { version: '2.13.4', build: 'sandbox' },
    chain_id: node.chainId,
    protocol_version: 86,
    sync_info: {
      latest_block_hash: node.hashOf(node.height),
      latest_block_height: Number(node.height),
      latest_block_time: time(node.time),
      syncing: false,
    },
  }
}

/** @throws Refusal for one that the node does not have */
function blockOf(node: Node, id: unknown): bigint {
  if (id === undefined) return node.height
  const height = typeof id === 'string' ? node.heightOf(id) : null
  if (height === null) throw new Refusal('UNKNOWN_BLOCK', `DB Not Found Error: BLOCK: ${String(id)}`)
  return height
}

function headerOf(node: Node, height: bigint): object {
  const time = node.timeOf(height)
  return {
    hash: node.hashOf(height),
    prev_hash: node.hashOf(height - 1n),
    height: Number(height),
    epoch_id: node.hashOf(node.epochStart),
    timestamp: time * 1_000_000,
    timestamp_nanosec: `${time}000000`,
    total_supply: String(node.supply),
    gas_price: String(GAS_PRICE),
    last_final_block: node.hashOf(height),
  }
}

function validatorsOf(node: Node): object {
  const of = (account_id: string, stake: bigint) => ({
    account_id,
    stake: String(stake),
    is_slashed: false,
    num_produced_blocks: 100,
    num_expected_blocks: 100,
  })
  const others = [of('other-one.poolv1.near', 400_000_000n * 10n ** 24n), of('other-two.poolv1.near', 219_000_000n * 10n ** 24n)]
  const own = [...node.pools].map(([id, { staked }]) => of(id, staked))
  return {
    current_validators: [...others, ...own],
    next_validators: [...others, ...own.filter(({ account_id }) => !node.idle.has(account_id))],
    current_proposals: [],
    prev_epoch_kickout: [],
    epoch_start_height: Number(node.epochStart),
    epoch_height: Number(node.epoch),
  }
}

function queryOf(
  node: Node,
  { request_type, account_id, public_key, method_name, args_base64 }: Readonly<Record<string, unknown>>,
): object {
  const at = { block_hash: node.hashOf(node.height), block_height: Number(node.height) }
  const account = node.accounts.get(String(account_id))
  if (request_type === 'view_access_key') {
    const key = account?.keys.get(String(public_key))
    // As nodes do: not an error, but a result that holds one.
    if (key === undefined) return { ...at, error: `access key ${public_key} does not exist while viewing`, logs: [] }
    return { ...at, nonce: Number(key.nonce), permission: key.permission }
  }
  if (account === undefined) throw new Refusal('UNKNOWN_ACCOUNT', `account ${account_id} does not exist while viewing`)
  if (request_type === 'view_account') {
    const { amount, locked, storage } = account
    return {
      ...at,
      amount: String(amount),
      locked: String(locked),
      storage_usage: Number(storage),
      storage_paid_at: 0,
      code_hash: '1'.repeat(32),
    }
  }
  const pool = node.pools.get(String(account_id))
  if (request_type !== 'call_function') throw new Refusal('PARSE_ERROR')
  if (pool === undefined) throw new Refusal('NO_CONTRACT_CODE', `contract code for ${account_id} does not exist`)
  const { account_id: accountId } = membersOf(parsed(Buffer.from(String(args_base64), 'base64').toString()))
  const views: Readonly<Record<string, () => unknown>> = {
    get_account: () => pool.account(String(accountId), node.epoch),
    get_reward_fee_fraction: () => pool.fee,
    get_total_staked_balance: () => String(pool.staked),
    get_number_of_accounts: () => pool.accounts,
    is_staking_paused: () => pool.isPaused,
  }
  const view = views[String(method_name)]
  if (view === undefined) return { ...at, error: `wasm execution failed with error: MethodResolveError(MethodNotFound)`, logs: [] }
  return { ...at, result: [...Buffer.from(JSON.stringify(view()))], logs: [] }
}

function sendOf(node: Node, { signed_tx_base64, wait_until }: Readonly<Record<string, unknown>>): object {
  const transaction = readSigned(Buffer.from(String(signed_tx_base64), 'base64'))
  if (transaction === null) throw new Refusal('PARSE_ERROR')
  try {
    node.send(transaction)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw new Refusal('INVALID_TRANSACTION', { TxExecutionError: { InvalidTxError: error.error } })
  }
  const landed = node.landed.get(transaction.hash)
  if (wait_until === 'NONE') return { final_execution_status: 'NONE' }
  if (landed === undefined) throw new Refusal('TIMEOUT_ERROR')
  return executionOf(landed)
}

function lookedUp(node: Node, { tx_hash, sender_account_id }: Readonly<Record<string, unknown>>): object {
  if (typeof sender_account_id !== 'string') throw new Refusal('PARSE_ERROR')
  const landed = node.landed.get(String(tx_hash))
  // The signer says which shard is asked.
  if (landed === undefined || landed.transaction.signer !== sender_account_id || landed.height < node.earliest)
    throw new Refusal('UNKNOWN_TRANSACTION', `Transaction ${tx_hash} doesn't exist`)
  return executionOf(landed)
}

function executionOf({ transaction, outcomes: [first, ...receipts] }: Landed): object {
  const { hash, signer, receiver, nonce, method, args, gas, deposit } = transaction
  const call = { method_name: method, args: args.toString('base64'), gas: Number(gas), deposit: String(deposit) }
  return {
    final_execution_status: 'FINAL',
    status: receipts[0]?.outcome.status ?? { SuccessValue: '' },
    transaction: { hash, signer_id: signer, receiver_id: receiver, nonce: Number(nonce), actions: [{ FunctionCall: call }] },
    transaction_outcome: first,
    receipts_outcome: receipts,
  }
}
