import type { ConformanceOptions, Player } from '@svc/conformance'
import { cosmosFamily } from '@svc/conformance/cosmos'
import { observe } from '@svc/sandbox'
import moves from '#plugin'
import { scenario } from '#sandbox'

/** The scenario, with its chain in the test's hands for stake that was there before. */
const observed = observe(scenario)

/** Stake with the validator that it moves away from. */
async function staked({ wallet }: Player): Promise<void> {
  const chain = observed.chain()
  chain.delegate(wallet.address, chain.validator('source'), 5_000_000_000n)
  await chain.advance({ seconds: 60 })
}

export const options: ConformanceOptions = {
  plugin: moves,
  scenario: observed.scenario,
  family: cosmosFamily({ prefix: 'cosmos', denom: 'uatom', algorithm: 'secp256k1', chainId: 'cosmoshub-4' }),
  budget: { craft: 2, balance: 1, prepare: 1 },
  examples: { move: { setup: staked, body: { amount: '1.500001' } } },
  journeys: [
    {
      name: 'what has moved counts at once',
      async run(player) {
        await staked(player)
        await player.act('move', { amount: '12.000001' })
        await player.act('move', { amount: '1' })
        await player.expect('both moves count', { staked: '13.000001' })
        await player.refused('move', { amount: '5000' }, 'INSUFFICIENT_STAKE')
      },
    },
  ],
  refusals: [{ name: 'a move of more than there is', action: 'move', body: { amount: '1' }, code: 'INSUFFICIENT_STAKE' }],
}
