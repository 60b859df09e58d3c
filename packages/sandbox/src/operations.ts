import type { ChainOperation, SandboxChain } from './chain.ts'
import { SandboxError } from './error.ts'
import { parseFault } from './fault.ts'
import { parseBlocks, parseCount, parseStep, show } from './input.ts'
import { membersOf } from './members.ts'
import type { PricesServer } from './prices.ts'

/** Operations on something, by name. */
type Operations = Readonly<Record<string, ChainOperation>>

/** Told after a chain was moved on, by its name and what its clock says then; the answer waits for it. */
export type AdvanceListener = (chain: string, time: Date) => Promise<void>

/** Makes the operations of a chain: those of every chain, then its own. */
export function operationsOf(chain: SandboxChain, advanced?: AdvanceListener): Operations {
  const common: Operations = {
    advance: {
      example: { epochs: 1 },
      members: ['epochs', 'seconds'],
      async run(body) {
        const answer = await chain.advance(parseStep(body))
        if (typeof answer.timestamp === 'number') await advanced?.(chain.id, new Date(answer.timestamp * 1_000))
        return answer
      },
    },
    fund: {
      example: { address: '…', amount: '1.5' },
      members: ['address', 'amount'],
      async run({ address, amount }) {
        if (typeof address !== 'string') throw new SandboxError('INVALID_INPUT', `address is ${show(address)}: it must be text`)
        if (typeof amount !== 'string') throw new SandboxError('INVALID_INPUT', `amount is ${show(amount)}: it must be text, such as "1.5"`)
        return chain.fund(address, amount)
      },
    },
    fault: {
      example: { kind: 'delay', ms: 1000, times: 1 },
      members: ['kind', 'ms', 'times'],
      async run(body) {
        const fault = parseFault(body)
        chain.fault(fault)
        return { fault }
      },
    },
    mine: {
      example: { blocks: 1 },
      members: ['blocks'],
      async run({ blocks }) {
        if (chain.mine === undefined) throw new SandboxError('NOT_SUPPORTED', `${chain.id} makes its blocks by itself`)
        return chain.mine(blocks === undefined ? 1 : parseBlocks(blocks))
      },
    },
  }
  // The second time keeps the order and lets what is common win.
  return { ...common, ...chain.operations, ...common }
}

/** Makes the operations of the stand-in for a price service. */
export function priceOperations(prices: PricesServer): Operations {
  return {
    set: {
      example: { id: 'monad', usd: '0.05' },
      members: ['id', 'usd', 'updated_at'],
      async run({ id, usd, updated_at }) {
        if (typeof id !== 'string') throw new SandboxError('INVALID_INPUT', `id is ${show(id)}: it must be text, such as "monad"`)
        if (usd !== undefined && typeof usd !== 'string')
          throw new SandboxError('INVALID_INPUT', `usd is ${show(usd)}: it must be text, such as "0.05"; left out, the id becomes unknown`)
        prices.set(id, usd, updated_at === undefined ? undefined : parseCount('updated_at', updated_at, Number.MAX_SAFE_INTEGER))
        return { usd: prices.prices() }
      },
    },
    fault: {
      example: { kind: 'delay', ms: 1000, times: 1 },
      members: ['kind', 'ms', 'times'],
      async run(body) {
        const fault = parseFault(body)
        prices.fault(fault)
        return { fault }
      },
    },
  }
}

/** Lists the operations of a chain that have an effect: without `mine` for a chain that makes its blocks by itself, since `mine` would only say so. */
export function offeredBy(chain: SandboxChain): Operations {
  return Object.fromEntries(Object.entries(operationsOf(chain)).filter(([name]) => name !== 'mine' || chain.mine !== undefined))
}

/** Finds a chain of the sandbox by its name. @throws SandboxError `NOT_FOUND` naming those that there are */
export function chainNamed(chains: ReadonlyMap<string, SandboxChain>, id: string): SandboxChain {
  const chain = chains.get(id)
  if (chain !== undefined) return chain
  throw new SandboxError('NOT_FOUND', `no chain ${id} here; there are: ${[...chains.keys()].join(', ')}`)
}

/** Finds an operation of a chain by its name. @throws SandboxError `NOT_FOUND` naming those that there are */
export function operationNamed(operations: Operations, name: string): ChainOperation {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
  if (operation !== undefined) return operation
  throw new SandboxError('NOT_FOUND', `no operation ${name}; there are: ${Object.keys(operations).join(', ')}`)
}

/**
 * Checks that a body has only members that an operation takes, and returns it.
 *
 * @param body what was sent, read as JSON
 * @throws SandboxError `INVALID_INPUT` for what is no object, or has a member that the operation does not know
 */
export function checkBody(body: unknown, name: string, operation: ChainOperation): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new SandboxError(
      'INVALID_INPUT',
      `the body is ${show(body)}: ${name} takes an object, such as ${JSON.stringify(operation.example)}`,
    )
  const stranger = Object.keys(body).find((member) => !operation.members.includes(member))
  if (stranger === undefined) return membersOf(body)
  throw new SandboxError('INVALID_INPUT', `${name} knows no member ${show(stranger)}: it takes ${operation.members.join(', ')}`)
}
