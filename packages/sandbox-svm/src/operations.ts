import { type ChainOperation, formatUnits, parseBlocks, parseCount, parseUnits, SandboxError, show } from '@svc/sandbox'
import type { PoolFee } from './pool/stake-pools.ts'
import type { SvmStakePool } from './types.ts'
import type { Validator } from './validators.ts'
import type { World } from './world.ts'

const decimals = 9

/** Fees of a pool by their names in a body. */
const FEES: Readonly<Record<string, PoolFee>> = {
  sol_deposit: 'solDepositFee',
  epoch: 'epochFee',
  sol_withdrawal: 'solWithdrawalFee',
  stake_withdrawal: 'stakeWithdrawalFee',
}

type Body = Readonly<Record<string, unknown>>

/** Makes the operations of the control port on a Solana chain besides those of every chain. */
export function chainOperations(world: World): Readonly<Record<string, ChainOperation>> {
  return {
    rewards: {
      example: { on: false },
      members: ['on'],
      async run(body) {
        world.epochs.rewards = switchOf(body, 'on', 'true lets epochs pay rewards, false lets them pass without')
        return { ...world.head(), rewards: world.epochs.rewards }
      },
    },
    'epoch-rewards': {
      example: { blocks: 10 },
      members: ['blocks'],
      async run({ blocks }) {
        world.epochs.distribute(BigInt(blocks === 0 ? 0 : parseBlocks(blocks)))
        return { ...world.head(), distributing: world.epochs.distributing }
      },
    },
    cluster: {
      example: { effective: '10000', activating: '5000', deactivating: '0' },
      members: ['effective', 'activating', 'deactivating'],
      async run(body) {
        const amounts = Object.entries(body).map(([name, value]) => [name, solOf(value)])
        world.setCluster(Object.fromEntries(amounts))
        const { effective, activating, deactivating } = world.epochs.cluster
        const text = (lamports: bigint) => formatUnits(lamports, decimals)
        return { ...world.head(), effective: text(effective), activating: text(activating), deactivating: text(deactivating) }
      },
    },
    validator: {
      example: { vote: '…', delinquent: true, commission_bps: 500, performance: 100 },
      members: ['vote', 'delinquent', 'commission_bps', 'performance'],
      async run(body) {
        const validator = validatorOf(world, body)
        const { commission_bps: bps, performance } = body
        if (body.delinquent !== undefined) validator.delinquent = switchOf(body, 'delinquent', 'true stops its votes, false lets it vote')
        if (performance !== undefined) validator.performance = performance === 0 ? 0 : parseCount('performance', performance, 100)
        if (bps !== undefined) {
          const commission = bps === 0 ? 0 : parseCount('commission_bps', bps, 10_000)
          world.bank.block(() => world.validators.setCommission(validator.vote, commission))
        }
        const { vote, delinquent } = validator
        return { ...world.head(), vote, delinquent, performance: validator.performance, commission_bps: world.validators.commission(vote) }
      },
    },
    'unit-price': {
      example: { micro_lamports: 1000 },
      members: ['micro_lamports'],
      async run({ micro_lamports: price }) {
        world.unitPrice = price === 0 ? 0 : parseCount('micro_lamports', price, 1_000_000_000)
        return { ...world.head(), micro_lamports: world.unitPrice }
      },
    },
    rent: {
      example: { lamports_per_byte: 6333 },
      members: ['lamports_per_byte'],
      async run({ lamports_per_byte: rate }) {
        world.setRent(BigInt(parseCount('lamports_per_byte', rate, 1_000_000)))
        return { ...world.head(), stake_account: formatUnits(world.bank.rent(200), decimals) }
      },
    },
    'minimum-delegation': {
      example: { amount: '1' },
      members: ['amount'],
      async run({ amount }) {
        world.minimumDelegation = solOf(amount)
        return { ...world.head(), minimum_delegation: formatUnits(world.minimumDelegation, decimals) }
      },
    },
    'program-accounts': {
      example: { on: false },
      members: ['on'],
      async run(body) {
        world.listsAccounts = switchOf(body, 'on', 'false makes getProgramAccounts refuse, as some providers do')
        return { ...world.head(), on: world.listsAccounts }
      },
    },
    pushes: {
      example: { on: false },
      members: ['on'],
      async run(body) {
        const on = switchOf(body, 'on', 'false breaks the WebSockets off and takes no more, true takes them again')
        world.pubsub?.fault({ kind: on ? 'none' : 'drop' })
        return { ...world.head(), on }
      },
    },
    'stale-pool': {
      example: { pool: '…', stale: true },
      members: ['pool', 'stale'],
      async run(body) {
        const earlier = poolOf(world, body)
        earlier.stale = switchOf(body, 'stale', 'true leaves the pool as it is when epochs pass, false brings it up to date')
        if (!earlier.stale) world.bank.block(() => world.pools.update(earlier.addresses))
        return { ...world.head(), ...poolState(world, earlier), stale: earlier.stale }
      },
    },
    'drain-reserve': {
      example: { pool: '…', leave: '0.1' },
      members: ['pool', 'leave'],
      async run(body) {
        const record = poolOf(world, body)
        const left = solOf(body.leave ?? '0')
        const reserve = world.pools.available(record.addresses)
        const moved = reserve > left ? world.bank.block(() => world.pools.drainReserve(record.addresses, reserve - left)) : 0n
        if (moved === 0n && reserve > left) {
          throw new SandboxError('INVALID_INPUT', `pool ${record.addresses.pool} has no validator that its reserve could be delegated to`)
        }
        return { ...world.head(), ...poolState(world, record), moved: formatUnits(moved, decimals) }
      },
    },
    'pool-fee': {
      example: { pool: '…', fee: 'sol_deposit', numerator: 1, denominator: 1000 },
      members: ['pool', 'fee', 'numerator', 'denominator'],
      async run(body) {
        const record = poolOf(world, body)
        const name = FEES[String(body.fee)]
        if (name === undefined)
          throw new SandboxError('INVALID_INPUT', `fee is ${show(body.fee)}: it is one of ${Object.keys(FEES).join(', ')}`)
        const denominator = BigInt(parseCount('denominator', body.denominator, 1_000_000_000))
        const numerator = body.numerator === 0 ? 0n : BigInt(parseCount('numerator', body.numerator, Number(denominator)))
        world.bank.block(() => world.pools.setFee(record.addresses, name, { numerator, denominator }))
        return { ...world.head(), ...poolState(world, record), fee: body.fee }
      },
    },
    'pool-loss': {
      example: { pool: '…', amount: '100' },
      members: ['pool', 'amount'],
      async run(body) {
        const record = poolOf(world, body)
        const amount = solOf(body.amount)
        if (world.bank.block(() => world.pools.lose(record.addresses, amount)) === 0n)
          throw new SandboxError(
            'INVALID_INPUT',
            `amount is ${show(body.amount)}: pool ${record.addresses.pool} has not staked more than that with its first validator`,
          )
        return { ...world.head(), ...poolState(world, record), lost: formatUnits(amount, decimals) }
      },
    },
    steal: {
      example: { wallet: '…' },
      members: ['wallet'],
      async run({ wallet }) {
        const { accounts, withdrawer } = world.stealStakes(wallet)
        if (accounts.length > 0) return { ...world.head(), accounts, withdrawer }
        throw new SandboxError(
          'INVALID_INPUT',
          `wallet is ${show(wallet)}: it is the withdrawer of no stake account, so there is nothing to steal`,
        )
      },
    },
    tip: {
      example: { account: '…', amount: '0.001' },
      members: ['account', 'amount'],
      async run({ account, amount }) {
        if (typeof account !== 'string' || world.account(account) === undefined) {
          throw new SandboxError('INVALID_INPUT', `account is ${show(account)}: a tip goes to an account that there is`)
        }
        world.fund(account, parseUnits(amount, decimals))
        return { ...world.head(), account, balance: formatUnits(world.bank.existing(account).lamports, decimals) }
      },
    },
  }
}

/** Reads a member that is true or false. @throws SandboxError `INVALID_INPUT` */
export function switchOf(body: Body, name: string, what: string): boolean {
  const value = body[name]
  if (typeof value === 'boolean') return value
  throw new SandboxError('INVALID_INPUT', `${name} is ${show(value)}: ${what}`)
}

function solOf(value: unknown): bigint {
  const isNothing = value === 0 || (typeof value === 'string' && /^0(?:\.0{1,9})?$/.test(value))
  return isNothing ? 0n : parseUnits(value, decimals)
}

function poolOf(world: World, { pool }: Body): NonNullable<ReturnType<World['pools']['find']>> {
  const all = [...world.pools.all]
  const match = pool === undefined && all.length === 1 ? all[0] : typeof pool === 'string' ? world.pools.find(pool) : undefined
  if (match !== undefined) return match
  const poolNames = all.map(({ addresses }) => addresses.pool).join(', ')
  throw new SandboxError('INVALID_INPUT', `pool is ${show(pool)}: it must be a stake pool of this chain: ${poolNames || 'it has none'}`)
}

function poolState(world: World, { addresses }: { addresses: SvmStakePool }): Record<string, unknown> {
  const { total, supply, lastUpdate } = world.pools.read(addresses)
  const reserve = world.pools.available(addresses)
  const text = (units: bigint) => formatUnits(units, decimals)
  return { pool: addresses.pool, total: text(total), supply: text(supply), last_update: Number(lastUpdate), reserve: text(reserve) }
}

function validatorOf(world: World, { vote }: Body): Validator {
  const match = typeof vote === 'string' ? world.validators.find(vote) : undefined
  if (match !== undefined) return match
  const votes = [...world.validators.all].map((validator) => validator.vote).join(', ')
  throw new SandboxError('INVALID_INPUT', `vote is ${show(vote)}: it must be a vote account of this chain: ${votes}`)
}
