import { type EvmChain, type EvmScenario, evmEngine } from '@svc/sandbox-evm'
import { Interface } from 'ethers'
import contracts from './contracts.generated.json' with { type: 'json' }

/** Address of the vault on the local chain; any address will do. */
export const vaultAddress = '0x000000000000000000000000000000005a71a651'

/** The vault's own ABI, from its source and not from the plugin: what the plugin gets wrong, this does not get wrong too. */
export const savings = new Interface(contracts.Savings.abi)

/** Who pays the interest. It has no key. */
export const keeper = '0x00000000000000000000000000000000000ba4e5'

/** An epoch of this scenario: a day, after which interest is paid. */
export const daySeconds = 86_400

/** One open, empty vault, and a keeper who pays its interest for every day that passes. */
export const scenario: EvmScenario = {
  engine: evmEngine,
  chain: 'evm:31337',
  async install(chain) {
    await chain.setCode(vaultAddress, contracts.Savings.deployedBytecode)
    await chain.fund(keeper, 10n ** 30n)
    let paidUntil = (await chain.latest()).timestamp
    chain.onAdvance(async (step) => {
      // Told to pass seconds, the chain has moved its clock already; how long an epoch is, only the scenario knows.
      if ('epochs' in step) await chain.moveTime(step.epochs * daySeconds)
      const { timestamp } = await chain.latest()
      for (; paidUntil + daySeconds <= timestamp; paidUntil += daySeconds) await payInterest(chain)
    })
    return { settings: { vault: vaultAddress } }
  },
}

/** Closes the vault to deposits, or opens it again. */
export async function setClosed(chain: EvmChain, closed: boolean): Promise<void> {
  await chain.send({ from: keeper, to: vaultAddress, data: savings.encodeFunctionData('setClosed', [closed]) })
}

async function payInterest(chain: EvmChain): Promise<void> {
  const [units, price, rate] = await Promise.all([view(chain, 'totalUnits'), view(chain, 'price'), view(chain, 'dailyRate')])
  if (units === 0n) return
  const value = (units * price * rate) / 10n ** 36n
  await chain.send({ from: keeper, to: vaultAddress, data: savings.encodeFunctionData('payInterest'), value })
}

async function view(chain: EvmChain, name: string): Promise<bigint> {
  return BigInt(await chain.call({ to: vaultAddress, data: savings.encodeFunctionData(name) }))
}
