import { type ChainOperation, formatUnits, parseCount, parseFlag, parseUnits, SandboxError, show } from '@svc/sandbox'
import { parseAddress } from './address.ts'
import { suiDecimals } from './constants.ts'
import { grpcCodes, isGrpcCode } from './errors.ts'
import { lifeOperations } from './life-operations.ts'
import type { Node } from './node.ts'
import type { Validator } from './state.ts'

/** Functions of a chain that its operations need. */
interface Chain {
  readonly id: string
  readonly node: Node
  latest(): { block: number; timestamp: number; epoch: number }
  // These look at all that they are given: here it comes from outside.
  balance(address: unknown): Promise<{ total: bigint }>
  createValidator(options: {
    readonly name: unknown
    readonly commissionBps: unknown
    readonly stake?: bigint
  }): Promise<Record<string, unknown>>
  fundAddressBalance(address: unknown, amount: unknown): Promise<Record<string, unknown>>
  giveCoins(address: unknown, count: unknown, each: unknown): Promise<string[]>
  makeParty(objectId: unknown): Promise<void>
  putInto(objectId: unknown, parent: unknown): Promise<void>
}

type Body = Readonly<Record<string, unknown>>

/** Most calls that meet a forced status, and most look-ups that do not find a new transaction. */
const maxTimes = 1_000_000
/** Highest gas price in MIST that the chain accepts. */
const maxPrice = 100_000

/** Makes the operations of the control port on a Sui chain besides those of every chain. The validator is the operator's unless named. */
export function chainOperations(chain: Chain): Readonly<Record<string, ChainOperation>> {
  return { ...validatorOperations(chain), ...walletOperations(chain), ...nodeOperations(chain), ...lifeOperations(chain) }
}

function validatorOperations(chain: Chain): Readonly<Record<string, ChainOperation>> {
  return {
    'create-validator': {
      example: { name: 'Another', commissionBps: 200, stake: '1000000' },
      members: ['name', 'commissionBps', 'stake'],
      async run({ name, commissionBps, stake }) {
        const options = stake === undefined ? {} : { stake: parseUnits(stake, suiDecimals) }
        return await chain.createValidator({ name, commissionBps, ...options })
      },
    },
    'deactivate-validator': {
      example: { validator: 'Operator' },
      members: ['validator'],
      run: async (body) => standing(chain, chain.node.changeValidator(named(body), { leaving: true })),
    },
    commission: {
      example: { validator: 'Operator', bps: 500 },
      members: ['validator', 'bps'],
      async run(body) {
        const bps = bpsOf(body)
        return standing(chain, chain.node.changeValidator(named(body), { commissionBps: bps, nextCommissionBps: bps }))
      },
    },
    'next-commission': {
      example: { validator: 'Operator', bps: 500 },
      members: ['validator', 'bps'],
      run: async (body) => standing(chain, chain.node.changeValidator(named(body), { nextCommissionBps: bpsOf(body) })),
    },
    reward: {
      example: { validator: 'Operator', amount: '450' },
      members: ['validator', 'amount'],
      async run(body) {
        const rewardPerEpoch = body.amount === '0' ? 0n : parseUnits(body.amount, suiDecimals)
        return standing(chain, chain.node.changeValidator(named(body), { rewardPerEpoch }))
      },
    },
    'safe-mode': {
      example: {},
      members: [],
      async run() {
        chain.node.endEpoch({ safeMode: true })
        return { ...chain.latest(), safeMode: true }
      },
    },
    'gas-price': {
      example: { price: 750 },
      members: ['price'],
      async run({ price }) {
        chain.node.gasPrice = BigInt(parseCount('price', price, maxPrice))
        return { ...chain.latest(), price }
      },
    },
  }
}

function walletOperations(chain: Chain): Readonly<Record<string, ChainOperation>> {
  return {
    'address-balance': {
      example: { address: '0x…', amount: '1.5' },
      members: ['address', 'amount'],
      run: ({ address, amount }) => chain.fundAddressBalance(address, amount),
    },
    coins: {
      example: { address: '0x…', count: 10, each: '0.5' },
      members: ['address', 'count', 'each'],
      async run({ address, count, each }) {
        const coins = await chain.giveCoins(address, count, each)
        return { address, coins: coins.length, balance: formatUnits((await chain.balance(address)).total, suiDecimals) }
      },
    },
    party: {
      example: { object: '0x…' },
      members: ['object'],
      async run({ object }) {
        await chain.makeParty(object)
        return { ...chain.latest(), object }
      },
    },
    'put-into': {
      example: { object: '0x…', into: '0x…' },
      members: ['object', 'into'],
      async run({ object, into }) {
        await chain.putInto(object, into)
        return { ...chain.latest(), object, into }
      },
    },
    conflict: {
      example: { object: '0x…' },
      members: ['object'],
      async run({ object }) {
        const id = parseAddress('object', object)
        if (!chain.node.state.objects.has(id)) throw new SandboxError('INVALID_INPUT', `object ${id} does not exist on ${chain.id}`)
        chain.node.contested.add(id)
        return { ...chain.latest(), contested: [...chain.node.contested] }
      },
    },
  }
}

function nodeOperations(chain: Chain): Readonly<Record<string, ChainOperation>> {
  const { knobs } = chain.node
  return {
    status: {
      example: { code: 'UNAVAILABLE', message: 'overloaded', method: 'ExecuteTransaction', times: 1 },
      members: ['code', 'message', 'method', 'times'],
      async run({ code, message = 'forced by the sandbox', method, times }) {
        if (code === 'OK') {
          knobs.unforce()
          return { code }
        }
        if (!isGrpcCode(code)) {
          throw new SandboxError('INVALID_INPUT', `code is ${show(code)}: it must be OK or one of ${Object.keys(grpcCodes).join(', ')}`)
        }
        if (typeof message !== 'string') throw new SandboxError('INVALID_INPUT', `message is ${show(message)}: it must be text`)
        if (method !== undefined && typeof method !== 'string') {
          throw new SandboxError('INVALID_INPUT', `method is ${show(method)}: it must be a name such as "GetEpoch"`)
        }
        const left = times === undefined ? Number.POSITIVE_INFINITY : parseCount('times', times, maxTimes)
        knobs.force({ code, message, left, ...(method === undefined ? {} : { method }) })
        return { code, message, ...(method === undefined ? {} : { method }), ...(times === undefined ? {} : { times }) }
      },
    },
    lag: {
      example: { reads: 3 },
      members: ['reads'],
      async run({ reads }) {
        knobs.lag = reads === 0 ? 0 : parseCount('reads', reads, maxTimes)
        return { reads }
      },
    },
    pages: {
      example: { emptyEvery: 5 },
      members: ['emptyEvery'],
      async run({ emptyEvery }) {
        if (emptyEvery === 1)
          throw new SandboxError('INVALID_INPUT', 'emptyEvery is 1: no listing would ever end; 0 switches empty pages off')
        knobs.emptyPageEvery = emptyEvery === 0 ? 0 : parseCount('emptyEvery', emptyEvery, maxTimes)
        return { emptyEvery }
      },
    },
    scan: {
      example: { checkpoints: 10 },
      members: ['checkpoints'],
      async run({ checkpoints }) {
        knobs.scanLimit = checkpoints === 0 ? 0 : parseCount('checkpoints', checkpoints, maxTimes)
        return { checkpoints }
      },
    },
    index: {
      example: { on: false },
      members: ['on'],
      async run({ on }) {
        knobs.index = parseFlag('on', on, 'false lets the node answer as one that keeps no index of what owners have')
        return { on: knobs.index }
      },
    },
    proposers: {
      example: { restrict: true },
      members: ['restrict'],
      async run({ restrict: input }) {
        const restrict = parseFlag('restrict', input, 'true lets simulations name the validators that may propose')
        knobs.restrictProposers = restrict
        return { restrict }
      },
    },
  }
}

function named({ validator }: Body): string | undefined {
  if (validator === undefined || typeof validator === 'string') return validator
  throw new SandboxError('INVALID_INPUT', `validator is ${show(validator)}: it must be a name or an address`)
}

function bpsOf({ bps }: Body): bigint {
  if (typeof bps === 'number' && Number.isInteger(bps) && bps >= 0 && bps <= 10_000) return BigInt(bps)
  throw new SandboxError('INVALID_INPUT', `bps is ${show(bps)}: it must be an integer from 0 to 10000`)
}

function standing(
  chain: Chain,
  { name, address, leaving, commissionBps, nextCommissionBps, rewardPerEpoch }: Validator,
): Record<string, unknown> {
  const reward = formatUnits(rewardPerEpoch, suiDecimals)
  return {
    ...chain.latest(),
    validator: address,
    name,
    leaving,
    commissionBps: Number(commissionBps),
    nextCommissionBps: Number(nextCommissionBps),
    rewardPerEpoch: reward,
  }
}
