import { startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { exactNumber, formatAmount, parseAmount } from '@svc/contract'
import { differences, looksOf } from '@svc/core/plugins'
import { evmThree } from '@svc/intent-evm-three'
import { eventually } from '@svc/testing/eventually'
import { Interface } from 'ethers'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const MON = 10n ** 18n
/** Least stake that the precompile leaves behind, in wei. */
const DUST = 1_000_000_000n
/** Wallets that are played, each with two exits; SVC_LIVES raises it. */
const LIVES = Number(process.env.SVC_LIVES ?? 100)

const stage = await startStage({ plugin, scenario, family: evmFamily })
t.teardown(() => stage.close())
const { staking, validator_id } = stage.world.settings as { readonly staking: string; readonly validator_id: number }
const abi = new Interface([
  'function getDelegator(uint64 validatorId, address delegator) returns (uint256 stake, uint256 a, uint256 b, uint256 c, uint256 d, uint64 e, uint64 f)',
  'function undelegate(uint64 validatorId, uint256 amount, uint8 withdrawId)',
  'function getWithdrawalRequest(uint64 validatorId, address delegator, uint8 withdrawId) returns (uint256 amount, uint256 acc, uint64 epoch)',
])
const looks = looksOf(plugin.protocol as never, stage.direct as never, () => [stage.direct.client] as never)
const terms = { chainId: stage.world.chainId, caip2: looks.caip2, decimals: 18, symbol: 'MON', max_fee: '10', staking, validator_id }

async function rpc(method: string, params: readonly unknown[]): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(stage.world.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await response.json()) as { result: string; error?: unknown }
  if (error) throw new Error(`${method}: ${JSON.stringify(error)}`)
  return result
}

/** First value that the engine's own book has. */
async function booked(method: string, args: readonly unknown[]): Promise<bigint> {
  const call = { to: staking, data: abi.encodeFunctionData(method, args) }
  return BigInt(abi.decodeFunctionResult(method, await rpc('eth_call', [call, 'latest']))[0])
}
/** Else the price of gas rises with each block of a transaction, until the service refuses it. */
async function calm(): Promise<void> {
  await rpc('anvil_setNextBlockBaseFeePerGas', ['0x174876e800'])
  await rpc('evm_mine', [])
}
const stakeOf = (address: string) => booked('getDelegator', [validator_id, address])

/** What is told of an exit, what the engine has booked, and what the bytes promise. */
async function exit(player: Awaited<ReturnType<typeof stage.player>>, amount: unknown, slot: number) {
  const { address } = player.wallet
  const { hash, unsigned } = await player.act('undelegate', { amount, withdrawId: slot })
  const subject = { txHash: hash, wallet: address, bounds: null, keep: null, firstSeen: null, accepted: false }
  // Answers of two moments, as where a block comes between them, are no answer: the host asks again.
  const { look } = await eventually(
    'a look at the exit',
    () =>
      looks.transaction!(subject).then(
        (look) => ({ look, told: look.moved !== null }),
        (error: Error) => ({ look: null, told: error.message }),
      ),
    ({ told }) => told === true,
  )
  const moved = look?.moved
  const { data } = (unsigned as { payload: { data: string } }).payload
  const [validator, units, withdrawId] = abi.decodeFunctionData('undelegate', data) as unknown as bigint[]
  const args = { validator: validator ?? 0n, amount: units ?? 0n, slot: withdrawId ?? 0n }
  const call = { target: staking, method: 'undelegate(uint64 validator, uint256 amount, uint8 slot)', args, value: 0n }
  const moves = evmThree.describe(call, terms as never)?.moves ?? []
  const freed = moved!.moves.filter(({ kind }) => kind === 'freed').reduce((sum, each) => sum + (each.amount ?? 0n), 0n)
  const booking = await booked('getWithdrawalRequest', [validator_id, address, slot])
  return { freed, booking, differences: differences(moves, moved!), promised: moves.find(({ kind }) => kind === 'freed')?.amount ?? 0n }
}

/** A generator that a seed repeats: xorshift of 32 bits. @see https://www.jstatsoft.org/article/view/v008i14 (read 2026-11-28) */
function seeded(seed: number) {
  let state = (seed * 2_654_435_761) | 1
  return (count: number) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % count
  }
}

t.test(`${2 * LIVES} exits of ${LIVES} lives with dust and doubles: told as booked, and never as other than promised`, async (t) => {
  const lives = await Promise.all(
    Array.from({ length: LIVES }, async (_, seed) => ({ player: await stage.player(), below: seeded(seed + 1) })),
  )
  for (const { player, below } of lives) {
    await calm()
    const amount = BigInt(2 + below(2000)) * MON + (BigInt(below(10 ** 9)) * MON) / 10n ** 9n + BigInt(below(10 ** 9))
    await player.act('delegate', { amount: exactNumber(formatAmount(amount, 18)) })
  }
  await stage.world.advance({ epochs: 2 })
  const wrong: string[] = []
  let swept = 0
  for (const [seed, { player, below }] of lives.entries()) {
    const all = await stakeOf(player.wallet.address)
    await calm()
    const part = await exit(player, exactNumber(formatAmount(MON + BigInt(below(10 ** 9)), 18)), 0)
    const rest = await stakeOf(player.wallet.address)
    const dust = BigInt(1 + below(Number(DUST) - 1))
    // By the exact digits, by what a double reads, with a rest that the chain sends along, and with the least rest that it leaves.
    const ways = [
      formatAmount(rest, 18),
      String(Number(formatAmount(rest, 18))),
      formatAmount(rest - dust, 18),
      formatAmount(rest - DUST, 18),
    ]
    const way = below(ways.length)
    const whole = await exit(player, exactNumber(ways[way] ?? ''), 1)
    const left = await stakeOf(player.wallet.address)
    if (whole.freed > whole.promised) swept++
    for (const each of [part, whole])
      if (each.freed !== each.booking || each.differences.length > 0 || each.booking === 0n)
        wrong.push(`${seed}: ${JSON.stringify(ways[way])} of ${rest}`)
    if (part.booking + whole.booking + left !== all || left !== (way === 3 ? DUST : 0n)) wrong.push(`${seed}: ${left} left of ${all}`)
  }
  t.same(wrong, [])
  t.ok(swept > LIVES / 10, `${swept} exits with a rest that the chain sent along`)
})

t.test('the sentence says what the chain adds, and a rest that is not dust is a difference', async (t) => {
  const promised = [{ kind: 'freed', asset: 'native', amount: MON }] as const
  const moved = (amount: bigint) => ({ moves: [{ ...promised[0], amount }], adds: { freed: DUST - 1n } })
  t.same(differences(promised, moved(MON + DUST - 1n)), [])
  t.equal(differences(promised, moved(MON + DUST)).length, 1)
  t.equal(differences(promised, moved(MON - 1n)).length, 1)
  await calm()
  const player = await stage.player()
  const amount = parseAmount('1234.56789012345715', 18)
  await player.act('delegate', { amount: exactNumber('1234.56789012345715') })
  await stage.world.advance({ epochs: 2 })
  const { freed, booking, differences: found, promised: said } = await exit(player, exactNumber('1234.567890123457'), 0)
  t.same([freed, booking, found], [amount, amount, []])
  t.equal(said, parseAmount('1234.567890123457', 18))
})
