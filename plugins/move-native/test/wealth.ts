import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import type { Transaction } from '@mysten/sui/transactions'
import type { LedgerStep, LedgerTest, WalletLife } from '@svc/conformance'
import type { MoveWallet } from '@svc/conformance/move'
import { exactNumber, formatAmount } from '@svc/contract'
import { operatorName } from '../sandbox/index.ts'
import type { Behind } from './chain.ts'

const SUI = 1_000_000_000n
/** Commission of the operator's validator, as the scenario has it. */
const USUAL_BPS = 400
/** Another validator than the operator's. */
const ANOTHER = 'halley'
const STRANGER = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(7))
const stranger = STRANGER.toSuiAddress()

/** An object of stake as the node itself has it. */
interface Position {
  readonly id: string
  readonly pool: string
  readonly activationEpoch: bigint
  readonly principal: bigint
}

/** Signs for the wallet of a player what the service does not craft. */
export function keyOf({ player }: Pick<WalletLife, 'player'>): Ed25519Keypair {
  const { key } = player.wallet as MoveWallet
  return Ed25519Keypair.fromSecretKey(key.export({ format: 'der', type: 'pkcs8' }).subarray(-32))
}

/** Everything that happens to stakes on Sui, at random, and what a wallet has by the node's own state. */
export function ledger(chain: () => Behind): LedgerTest {
  /** MIST that went to others, into fungible stake and into roundings, less what came from there, by wallet. */
  const elsewhere = new Map<string, bigint>()
  const left = ({ player: { wallet } }: WalletLife, amount: bigint) =>
    void elsewhere.set(wallet.address, (elsewhere.get(wallet.address) ?? 0n) + amount)

  const stakesOf = (address: string): readonly Position[] =>
    chain()
      .move.node.ownedBy(address)
      .flatMap(({ id, content }) =>
        content.kind === 'staked'
          ? [{ id, pool: content.poolId, activationEpoch: content.activationEpoch, principal: content.principal }]
          : [],
      )
  const sharesOf = (address: string) =>
    chain()
      .move.node.ownedBy(address)
      .flatMap(({ id, content }) => (content.kind === 'fungible' ? [{ id, pool: content.poolId, value: content.value }] : []))
  /** Principal and rewards of stakes, by the chain's own code. */
  const worthOf = async (stakes: readonly Position[]) => {
    const rewards = stakes.length === 0 ? [] : await chain().rewardsOf(stakes.map(({ id }) => id))
    return [...stakes.map(({ principal }) => principal), ...rewards].reduce((sum, each) => sum + each, 0n)
  }
  const by = (life: WalletLife, build: (tx: Transaction) => void) => chain().run(keyOf(life), build)
  const some = ({ random }: WalletLife) => BigInt(1 + random(900)) * SUI + BigInt(random(10 ** 9))
  const one = <T>({ random }: WalletLife, list: readonly T[]): T => {
    const each = list[random(list.length)]
    if (each === undefined) throw new RangeError('there is none')
    return each
  }
  const own = ({ player: { wallet } }: WalletLife) => stakesOf(wallet.address)
  const earning = (life: WalletLife) => own(life).filter(({ activationEpoch }) => activationEpoch <= chain().move.node.epoch)
  const ownShares = ({ player: { wallet } }: WalletLife) => sharesOf(wallet.address)
  const balance = ({ player: { wallet } }: WalletLife) => chain().holds(wallet.address)
  const call = (tx: Transaction, target: string, args: Parameters<Transaction['moveCall']>[0]['arguments']) =>
    tx.moveCall({ target: `0x3::${target}`, arguments: args ?? [] })
  const stake = (tx: Transaction, amount: bigint, validator: string) => {
    const [coin] = tx.splitCoins(tx.gas, [amount])
    return call(tx, 'sui_system::request_add_stake_non_entry', [
      tx.object.system({ mutable: true }),
      coin as never,
      tx.pure.address(chain().move.validator(validator).address),
    ])
  }
  /** Does something that changes what the wallet has in stakes by transfers, conversions or roundings alone. */
  const moving = async (life: WalletLife, run: () => Promise<unknown>, payment: bigint = 0n) => {
    const before = await worthOf(own(life))
    await run()
    left(life, before - (await worthOf(own(life))) + payment)
  }
  const step = (name: string, run: LedgerStep['run']): LedgerStep => ({ name, run })
  return {
    /** Stakes that have earned: to most of what follows there has to be one. */
    async begin({ player }) {
      for (const amount of ['1234.567890123', '77.000000007']) await player.act('stake', { amount: exactNumber(amount) })
      await player.advance({ epochs: 4 })
    },
    steps: [
      step('stakes', async (life) => void (await life.player.act('stake', { amount: exactNumber(formatAmount(some(life), 9)) }))),
      step('stakes by another front end, with another validator', async (life) => {
        await by(life, (tx) => tx.transferObjects([stake(tx, some(life), ANOTHER)], life.player.wallet.address))
      }),
      step('withdraws a stake', async (life) => {
        const { id } = one(life, own(life))
        await life.player.act('unstake', { staked_sui_object_id: id })
      }),
      step('withdraws two stakes by another front end', async (life) => {
        const stakes = own(life).slice(0, 2)
        await by(life, (tx) => {
          for (const { id } of stakes) call(tx, 'sui_system::request_withdraw_stake', [tx.object.system({ mutable: true }), tx.object(id)])
        })
      }),
      step('withdraws a part of a stake', async (life) => {
        const { id } = one(life, own(life))
        const before = await worthOf(own(life))
        const cash = await balance(life)
        const hash = new Set(chain().move.node.executed.keys())
        await by(life, (tx) => {
          const part = call(tx, 'staking_pool::split', [tx.object(id), tx.pure.u64(SUI + 1n)])
          call(tx, 'sui_system::request_withdraw_stake', [tx.object.system({ mutable: true }), part])
        })
        const [digest = ''] = [...chain().move.node.executed.keys()].filter((each) => !hash.has(each))
        const paid = (await balance(life)) - cash + (await chain().gasOf(digest))
        left(life, before - (await worthOf(own(life))) - paid)
      }),
      step('stakes and withdraws in one transaction', async (life) => {
        await by(life, (tx) => {
          call(tx, 'sui_system::request_withdraw_stake', [tx.object.system({ mutable: true }), stake(tx, some(life), operatorName)])
        })
      }),
      step('splits a stake in three', async (life) => {
        const { id } = one(life, own(life))
        const part = SUI + BigInt(life.random(10 ** 9))
        await moving(life, () =>
          by(life, (tx) => {
            for (const each of [part, part + 1n]) call(tx, 'staking_pool::split_staked_sui', [tx.object(id), tx.pure.u64(each)])
          }),
        )
      }),
      step('joins two stakes', async (life) => {
        const { id, pool, activationEpoch } = one(life, own(life))
        const other = one(
          life,
          own(life).filter((each) => each.id !== id && each.pool === pool && each.activationEpoch === activationEpoch),
        )
        await moving(life, () => by(life, (tx) => call(tx, 'staking_pool::join_staked_sui', [tx.object(id), tx.object(other.id)])))
      }),
      step('gives a stake away', async (life) => {
        const { id } = one(life, own(life))
        await moving(life, () => by(life, (tx) => tx.transferObjects([tx.object(id)], stranger)))
      }),
      step('gives a part of a stake away', async (life) => {
        const { id } = one(life, own(life))
        await moving(life, () =>
          by(life, (tx) => tx.transferObjects([call(tx, 'staking_pool::split', [tx.object(id), tx.pure.u64(SUI + 3n)])], stranger)),
        )
      }),
      step('is given a stake', async (life) => {
        const { id } = one(life, stakesOf(stranger))
        await chain().move.fund(stranger, '1')
        await moving(life, () => chain().run(STRANGER, (tx) => tx.transferObjects([tx.object(id)], life.player.wallet.address)))
      }),
      step('is given a stake that was made for it', async (life) => {
        await chain().move.fund(stranger, '1000')
        await moving(life, () =>
          chain().run(STRANGER, (tx) => tx.transferObjects([stake(tx, some(life), ANOTHER)], life.player.wallet.address)),
        )
      }),
      step('gives a stake away, and has it back', async (life) => {
        const { id } = one(life, own(life))
        await moving(life, () => by(life, (tx) => tx.transferObjects([tx.object(id)], stranger)))
        await life.player.advance({ epochs: 1 })
        await chain().move.fund(stranger, '1')
        await moving(life, () => chain().run(STRANGER, (tx) => tx.transferObjects([tx.object(id)], life.player.wallet.address)))
      }),
      step('makes a stake fungible', async (life) => {
        const { id } = one(life, earning(life))
        await moving(life, () =>
          by(life, (tx) =>
            tx.transferObjects(
              [call(tx, 'sui_system::convert_to_fungible_staked_sui', [tx.object.system({ mutable: true }), tx.object(id)])],
              life.player.wallet.address,
            ),
          ),
        )
      }),
      step('gives a part of its fungible stake away', async (life) => {
        const { id, value } = one(life, ownShares(life))
        await by(life, (tx) =>
          tx.transferObjects([call(tx, 'staking_pool::split_fungible_staked_sui', [tx.object(id), tx.pure.u64(value / 3n)])], stranger),
        )
      }),
      step('is given fungible stake', async (life) => {
        const { id } = one(life, sharesOf(stranger))
        await chain().move.fund(stranger, '1')
        await chain().run(STRANGER, (tx) => tx.transferObjects([tx.object(id)], life.player.wallet.address))
      }),
      step('withdraws fungible stake', async (life) => {
        const { id } = one(life, ownShares(life))
        const cash = await balance(life)
        const { hash } = await life.player.act('unstake', { staked_sui_object_id: id })
        left(life, -((await balance(life)) - cash + (await chain().gasOf(hash))))
      }),
      step('fails with a transaction', async (life) => {
        const { id } = one(life, own(life))
        await by(life, (tx) => {
          tx.setGasBudget(50_000_000)
          call(tx, 'staking_pool::split_staked_sui', [tx.object(id), tx.pure.u64(2n ** 63n)])
        }).catch(() => undefined)
      }),
      step('lets an epoch pass', async ({ player }) => void (await player.advance({ epochs: 1 }))),
      step('lets some epochs pass', async ({ player, random }) => void (await player.advance({ epochs: 2 + random(4) }))),
      step('lives through an epoch that ends in safe mode', async ({ operate }) => void (await operate('safe-mode'))),
      // The chain is one that others go on with: it is as it was afterwards.
      step('lives some epochs with another commission', async ({ operate, player, random }) => {
        await operate('commission', { validator: operatorName, bps: random(10_001) })
        await player.advance({ epochs: 1 + random(2) })
        await operate('commission', { validator: operatorName, bps: USUAL_BPS })
      }),
      step('lives with other rewards', async ({ operate, random }) => {
        await operate('reward', { validator: operatorName, amount: `${1 + random(90_000)}.000000001` })
      }),
    ],
    async wealth(life) {
      const { address } = life.player.wallet
      return (await balance(life)) + feesOf(chain(), address) + (await worthOf(own(life))) + (elsewhere.get(address) ?? 0n)
    },
    // Every checkpoint is final, and a reading is of one after the last.
    finalise: async ({ player }) => void (await player.advance({ seconds: 1 })),
  }
}

/** MIST that an address has paid for gas since the chain began. */
function feesOf({ move }: Behind, address: string): bigint {
  return [...move.node.executed.values()].reduce(
    (sum, { data, effects: { cost } }) =>
      (data.gasData.owner ?? data.sender) === address ? sum + cost.computation + cost.storage - cost.rebate : sum,
    0n,
  )
}
