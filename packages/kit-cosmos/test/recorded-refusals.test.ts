// Every recorded refusal of a broadcast, as a caller is told of it: reviewed by hand against the checks of the SDK and of the two chains.
import { isServiceError, itemsOf, membersOf } from '@svc/contract'
import { recordings } from '@svc/testing/recordings'
import t from 'tap'
import type { CosmosChain } from '../src/index.ts'
import { ACCOUNT, accountInfo, connect, hubOne, hubTwo, nodeOf, RpcError, silent, status } from './support/node.ts'

const NODES = { hub: hubOne, celestia: hubTwo } as const
/** The chains as they were recorded: their name, and the number of the account that signed. */
const OF = { cosmos: { chainId: 'cosmoshub-4', number: 18n }, celestia: { chainId: 'celestia', number: 38n } } as const
/** By the code that a caller gets; `taken` where the refusal only says that the node has it. */
const BY_CODE: Readonly<Record<string, readonly string[]>> = {
  ACCOUNT_UNKNOWN: [
    'hub broadcast-unknown-account',
    'hub broadcast-zero-amount',
    'celestia broadcast-unknown-account',
    'celestia broadcast-zero-amount',
  ],
  CHAIN_REFUSED: [
    'hub broadcast-fee-other-denom',
    'hub broadcast-fee-two-coins',
    'hub broadcast-foreign-signer',
    'hub broadcast-gas-above-block',
    'hub broadcast-granter',
    'hub broadcast-long-memo',
    'hub broadcast-no-fee',
    'celestia broadcast-foreign-signer',
    'celestia broadcast-granter',
    'celestia broadcast-long-memo',
  ],
  FEE_TOO_LOW: [
    'hub broadcast-fee-of-zero',
    'hub broadcast-low-fee',
    'celestia broadcast-fee-of-zero',
    'celestia broadcast-fee-other-denom',
    'celestia broadcast-low-fee',
    'celestia broadcast-no-fee',
  ],
  GAS_LIMIT_TOO_LOW: ['hub broadcast-low-gas', 'hub broadcast-zero-gas', 'celestia broadcast-low-gas', 'celestia broadcast-zero-gas'],
  HEX_INVALID: [
    'hub broadcast-bad-base64',
    'hub broadcast-empty',
    'hub broadcast-no-param',
    'celestia broadcast-bad-base64',
    'celestia broadcast-empty',
    'celestia broadcast-no-param',
  ],
  INSUFFICIENT_BALANCE: [
    'hub broadcast-poor',
    'hub broadcast-refused-in-block-again',
    'celestia broadcast-fee-two-coins',
    'celestia broadcast-poor',
    'celestia broadcast-refused-in-block-again',
  ],
  SIGNATURE_INVALID: [
    'hub broadcast-bad-signature',
    'hub broadcast-high-s',
    'hub broadcast-other-account-number',
    'hub broadcast-other-chain',
    'hub broadcast-short-signature',
    'celestia broadcast-bad-signature',
    'celestia broadcast-high-s',
    'celestia broadcast-other-account-number',
    'celestia broadcast-other-chain',
    'celestia broadcast-short-signature',
  ],
  TRANSACTION_EXPIRED: ['hub broadcast-timeout-passed', 'celestia broadcast-timeout-passed'],
  TRANSACTION_INVALID: [
    'hub broadcast-empty-signature',
    'hub broadcast-garbage',
    'hub broadcast-no-message',
    'hub broadcast-payer',
    'hub broadcast-trailing-bytes',
    'hub broadcast-unknown-field',
    'hub broadcast-unknown-message',
    'hub broadcast-unsigned',
    'celestia broadcast-empty-signature',
    'celestia broadcast-garbage',
    'celestia broadcast-no-message',
    'celestia broadcast-payer',
    'celestia broadcast-trailing-bytes',
    'celestia broadcast-unknown-field',
    'celestia broadcast-unknown-message',
    'celestia broadcast-unsigned',
  ],
  taken: ['hub broadcast-twice-landed', 'hub broadcast-twice', 'celestia broadcast-twice'],
}
const WANTED = new Map(Object.entries(BY_CODE).flatMap(([code, names]) => names.map((name) => [name, code] as const)))
/** A refused sequence: what it means is asked of the chain, and judged in `broadcast.test.ts`. @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/types/errors/errors.go */
const SEQUENCE = 32
/** Sentences for what shares its number with other reasons. */
const SENTENCES: Readonly<Record<string, RegExp>> = {
  'hub broadcast-payer': /somebody else who pays its fee and has not signed/,
  'celestia broadcast-payer': /somebody else who pays its fee and has not signed/,
  'hub broadcast-fee-of-zero': /pays no fee in the chain's token/,
  'celestia broadcast-fee-of-zero': /pays no fee in the chain's token/,
  'celestia broadcast-fee-other-denom': /pays no fee in the chain's token/,
  'celestia broadcast-no-fee': /pays no fee in the chain's token/,
  'hub broadcast-low-fee': /below what the node takes now/,
  'celestia broadcast-low-fee': /below what the node takes now/,
}

for (const [node, chain] of Object.entries(NODES) as [keyof typeof NODES, (typeof NODES)['hub']][])
  t.test(`what ${node} refuses`, async (t) => {
    for (const { name, request, response } of recordings(node).values()) {
      const { method, params } = membersOf(membersOf(request).body)
      if (method !== 'broadcast_tx_sync') continue
      const { result, error } = membersOf(itemsOf(response.body)[0] ?? response.body)
      const { code } = membersOf(result)
      if (error === undefined && (code === 0 || code === SEQUENCE)) continue
      const tx = Buffer.from(String(membersOf(params).tx ?? ''), 'base64').toString('hex')
      const said = await outcome(chain, tx, result, membersOf(error))
      const key = `${node} ${name}`
      t.equal(said.split(' ')[0], WANTED.get(key), `${key}: ${said}`)
      WANTED.delete(key)
      t.match(said, SENTENCES[key] ?? /./, key)
      t.notMatch(said, /\.go:|rpc error|[\p{Cc}\p{Cf}\uFFFD]/u, key)
    }
  })

/** What a caller is told of a transaction by a node that answers so, and shows the account as it was when the answer was recorded. */
async function outcome(
  chain: CosmosChain,
  signed_tx_hex: string,
  result: unknown,
  error: Readonly<Record<string, unknown>>,
): Promise<string> {
  const body = { signed_tx_hex }
  const { chainId, number } = OF[chain.prefix as keyof typeof OF]
  const bounds = () => connect(chain, silent).kit.life?.bounds(body, { ...connect(chain, silent).ctx.network, chainId })
  let wallet = 'nobody'
  try {
    wallet = bounds()?.wallet ?? wallet
  } catch {
    // What cannot be read is refused before it is sent.
  }
  const node = nodeOf({
    status: status(chainId),
    broadcast_tx_sync: result ?? new RpcError(String(error.data ?? ''), String(error.message ?? '')),
    tx: new RpcError('tx (AB) not found'),
    tx_status: { height: '0', index: 0, execution_code: 0, error: '', status: 'UNKNOWN' },
    tx_search: { txs: [], total_count: '0' },
    [ACCOUNT]: accountInfo(wallet, number, 4n),
  })
  const { kit, ctx } = connect(chain, node)
  try {
    await kit.broadcast(ctx, body)
    return 'taken'
  } catch (fault) {
    if (!isServiceError(fault)) throw fault
    return `${fault.code} ${fault.statusCode} ${fault.message}`
  }
}

t.test('every row of the table was met', async (t) => {
  t.same([...WANTED.keys()], [])
})
