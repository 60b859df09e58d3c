import { type Player, testPlugin } from '@svc/conformance'
import { svmFamily } from '@svc/conformance/svm'
import { formatAmount, parseAmount } from '@svc/contract'
import t from 'tap'
import { fees, scenarioOn } from '../sandbox/index.ts'
import { lamportsFor, withdrawalOf } from '../src/chain/price.ts'
import plugin from '../src/index.ts'
import { feeOf, onChain } from './chain.ts'

const { scenario, chain } = onChain(scenarioOn('devnet'))
const TOKENS = parseAmount('2000', 9)

/** Tokens of the wallet, and a reserve without anything to pay them. */
async function staked(player: Player): Promise<void> {
  await player.act('stake', { amount: 3000 }, 2)
  chain().drain(0n)
}

await testPlugin(t, {
  plugin,
  scenario,
  family: svmFamily,
  budget: { craft: { stake: 2, unstake: 2 } },
  groups: ['tamper', 'journeys', 'state', 'budget'],
  examples: {
    stake: { body: { amount: 1 } },
    unstake: { setup: staked, body: { amount: 2000 } },
  },
  journeys: [
    {
      name: 'what the reserve cannot pay leaves as stake of the wallet, which deactivates',
      async run(player) {
        await staked(player)
        const { address } = player.wallet
        const { svm, record, tokens, stakesOf } = chain()
        const expected = withdrawalOf(TOKENS, fees.stakeWithdrawal, record()).lamports
        const [held, wallet] = [tokens(address), await svm.balance(address)]
        // A third for the list of validators, since the reserve has shrunk after the service last saw it.
        const { unsigned } = await player.act('unstake', { amount: 2000 }, 3)
        player.check.equal(tokens(address), held - TOKENS, 'the tokens are gone')
        player.check.equal(
          await svm.balance(address),
          wallet - 2_282_880n - feeOf(unsigned, chain().settings.program),
          'and the rent of the account',
        )
        await player.expect('what is left is still there', { staked: formatAmount(lamportsFor(held - TOKENS, record()), 9) })

        const [account, ...others] = await stakesOf(address)
        player.check.ok(account !== undefined && others.length === 0, 'one stake account has the wallet as its withdrawer')
        const data = account!.data
        player.check.equal(data.readUInt32LE(0), 2, 'it is delegated')
        player.check.equal(data.readBigUInt64LE(156), expected, 'with as many lamports as the formula says')
        player.check.equal(svm.account(account!.address)?.lamports, expected + 2_282_880n, 'and its rent')
        player.check.equal(Number(data.readBigUInt64LE(172)), svm.latest().epoch, 'and deactivates in this epoch')
        player.check.ok(data.subarray(12, 44).equals(data.subarray(44, 76)), 'the wallet is its staker, too')

        await player.act('unstake', { amount: 100 })
        player.check.equal((await stakesOf(address)).length, 2, 'a second one has an address of its own')
      },
    },
  ],
  refusals: [
    {
      name: 'more than the reserve has, and less than a stake account must have',
      setup: staked,
      action: 'unstake',
      body: { amount: 0.5 },
      code: 'POOL_RESERVE_TOO_SMALL',
    },
  ],
})
