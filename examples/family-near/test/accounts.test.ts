// alone: its chain is the one that the options of this folder act on
import { type Subject, startStage } from '@svc/conformance'
import { membersOf } from '@svc/contract'
import t from 'tap'
import type { NearChain } from '../sandbox/index.ts'
import { nearFamily } from './family/near.ts'
import { base58, keyPair } from './family/wire.ts'
import { observed, options, poolAccount } from './options.ts'

// A named account has any number of keys, and none of them follows from its name.

const NEAR = 10n ** 24n
const named = (words: string) => {
  const { key, publicKey } = keyPair(words)
  return { key, text: `ed25519:${base58(publicKey)}` }
}
const [full, limited, other, gone] = [named('full'), named('limited'), named('other'), named('gone')]
const [wide, poor] = [named('wide'), named('poor')]

async function onStage(run: (stage: Subject, chain: NearChain) => Promise<void>): Promise<void> {
  const stage = await startStage(options)
  try {
    const chain = observed.chain()
    const permission = (receiver_id: string, method_names: readonly string[], allowance: string | null = null) => ({
      FunctionCall: { receiver_id, method_names, allowance },
    })
    chain.node.createAccount('alice.near', 100n * NEAR, {
      [full.text]: 'FullAccess',
      [limited.text]: permission(poolAccount, ['unstake', 'unstake_all', 'withdraw_all']),
      [other.text]: permission('game.near', []),
      // No names of methods are all of them.
      [wide.text]: permission(poolAccount, []),
      [poor.text]: permission(poolAccount, [], String(NEAR / 10n)),
    })
    await run(stage, chain)
  } finally {
    await stage.close()
  }
}

/** Crafts, signs with a key, prepares and sends. */
async function act({ client, world }: Subject, action: string, body: object, signer: ReturnType<typeof named>): Promise<string> {
  const crafted = await client.post(`/action/${action}`, { account_id: 'alice.near', public_key: signer.text, ...body })
  if (crafted.status !== 200) return String(crafted.code)
  const prepared = await client.post(
    '/action/prepare',
    await nearFamily.sign(crafted.json as never, { address: 'alice.near', signer: 'alice.near', key: signer.key }),
  )
  if (prepared.status !== 200) return String(prepared.code)
  const sent = await client.post('/action/broadcast', prepared.json)
  if (sent.status !== 200) return String(sent.code)
  await nearFamily.landed(world.rpcUrl, String(membersOf(sent.json).tx_hash))
  return 'landed'
}

t.test('a named account signs with the key that it names, and each key does what it may', (t) =>
  onStage(async (stage) => {
    t.equal(await act(stage, 'stake', { amount: '10' }, full), 'landed')
    t.equal(await act(stage, 'stake', { amount: '1' }, limited), 'KEY_RESTRICTED', 'a limited key sends nothing along')
    t.equal(await act(stage, 'unstake', { amount: '4' }, limited), 'landed', 'and does what it is for')
    t.equal(await act(stage, 'unstake', { amount: '4' }, other), 'KEY_RESTRICTED', 'of another contract')
    t.equal(await act(stage, 'unstake', { amount: '4' }, gone), 'KEY_UNKNOWN', 'a key of nobody')
    const { json } = await stage.client.get('/staking-balance/alice.near')
    t.match(JSON.stringify(json), /"staked_amount":6,.*"stake_deactivation_amount":4,/)
  }),
)

t.test('a refusal says what the key may not do', (t) =>
  onStage(async (stage) => {
    const { client } = stage
    const refused = async (key: ReturnType<typeof named>, action: string, body: object = {}) => {
      const answer = await client.post(`/action/${action}`, { account_id: 'alice.near', public_key: key.text, ...body })
      t.equal(answer.code, 'KEY_RESTRICTED')
      return answer.sentence
    }
    t.match(await refused(wide, 'stake', { amount: '1' }), /may send nothing along/, 'although it may call every method')
    t.match(await refused(limited, 'stake', { amount: '1' }), /may not call deposit_and_stake/)
    t.match(await refused(other, 'stake', { amount: '1' }), /is for calls of game\.near/)
    t.equal(await act(stage, 'stake', { amount: '10' }, full), 'landed')
    t.equal((await client.post('/action/unstake-all', { account_id: 'alice.near', public_key: wide.text })).status, 200)
    t.match(await refused(poor, 'unstake-all'), /an allowance of 0\.1 NEAR, and the gas is bought for 0\.1259/)
  }),
)

t.test('signed with another key of the same account it is refused before it is sent', (t) =>
  onStage(async ({ client }) => {
    const crafted = await client.post('/action/stake', { account_id: 'alice.near', public_key: full.text, amount: '1' })
    const wrong = await nearFamily.sign(crafted.json as never, { address: 'alice.near', signer: 'alice.near', key: limited.key })
    const answer = await client.post('/action/prepare', wrong)
    t.equal(answer.code, 'SIGNATURE_INVALID')
    t.match(answer.text, full.text, 'and the right one is named')
  }),
)

t.test('an account keeps what its gas and its storage bind', (t) =>
  onStage(async ({ client }, chain) => {
    const craft = (account_id: string, amount: string) => client.post('/action/stake', { account_id, public_key: full.text, amount })
    // Bought are 1.26 times 10^14 units of gas at 10^9 yocto: 0.1259 NEAR.
    chain.node.createAccount('small.near', NEAR + (NEAR * 13n) / 100n, { [full.text]: 'FullAccess' })
    t.equal((await craft('small.near', '1')).status, 200)
    t.equal((await craft('small.near', '1.01')).code, 'INSUFFICIENT_BALANCE', 'what is burnt would be covered, what is bought is not')
    // 10,000 bytes bind 0.1 NEAR.
    chain.node.createAccount('large.near', NEAR + (NEAR * 13n) / 100n, { [full.text]: 'FullAccess' }, 10_000n)
    t.equal((await craft('large.near', '1')).code, 'INSUFFICIENT_BALANCE')
    t.equal((await craft('large.near', '0.9')).status, 200)
  }),
)
