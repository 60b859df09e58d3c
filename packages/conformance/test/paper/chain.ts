import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { type ChainEngine, listen, openDoor, type SandboxChain, type Scenario, shut } from '@svc/sandbox'

/**
 * A chain of a family that does not exist: JSON over HTTP, six decimals, stake that is active from the next epoch on and comes back one
 * epoch after it was asked for.
 */
export interface PaperTransaction {
  readonly chain: string
  readonly sequence: string
  readonly fee: string
  readonly signer: string
  readonly calls: readonly PaperCall[]
}

export interface PaperCall {
  readonly method: 'stake' | 'unstake' | 'withdraw'
  /** Units for stake and unstake, the request's number for withdraw. */
  readonly argument: string
}

export interface PaperAccount {
  balance: bigint
  sequence: bigint
  staked: bigint
  pending: bigint
  requests: { id: bigint; amount: bigint; release: bigint }[]
}

/** What the chain keeps of a transaction, in texts. */
export interface PaperRecord {
  readonly height: string
  readonly fee: string
  readonly signer: string
  /** Numbers of the requests that it made. */
  readonly made: readonly string[]
  readonly calls: readonly PaperCall[]
}

export const CHAIN = 'paper-1'
const FEE = 10n

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** @param text `1.5` */
const units = (text: string) => BigInt(Math.round(Number(text) * 1_000_000))

/** Brings paper to the sandbox, which has never heard of it. */
const paperEngine: ChainEngine = { family: 'paper', start: startPaperChain, wallets: async () => [], addressOf: () => '' }

/** The chain that was installed last. */
let installed: SandboxChain | undefined

/** Does something while the validator takes no stake. */
export async function whileClosed(run: () => Promise<void>): Promise<void> {
  const say = (method: string) => fetch(installed!.rpcUrl, { method: 'POST', body: JSON.stringify({ method, params: [] }) })
  await say('close')
  try {
    await run()
  } finally {
    await say('open')
  }
}

/** The world of the paper plugin. */
export const paperScenario: Scenario = {
  engine: paperEngine,
  chain: `paper:${CHAIN}`,
  async install(chain) {
    installed = chain
    return { settings: { validator: 'p1000000ff' } }
  },
}

async function startPaperChain({ log }: { readonly log: (line: string) => void }): Promise<SandboxChain> {
  const accounts = new Map<string, PaperAccount>()
  /** What became of each transaction that landed, by its hash, in the order in which they did. */
  const landed = new Map<string, PaperRecord>()
  /** Which transaction used a sequence of an account. */
  const used = new Map<string, string>()
  let epoch = 1n
  let requests = 0n
  let open = true

  const account = (address: string): PaperAccount => {
    const known = accounts.get(address) ?? { balance: 0n, sequence: 0n, staked: 0n, pending: 0n, requests: [] }
    accounts.set(address, known)
    return known
  }

  /** Why the chain refuses, or null once it is done. */
  function run(of: PaperAccount, { method, argument }: PaperCall): string | null {
    const value = BigInt(argument)
    if (method === 'stake') {
      if (of.balance < value) return 'not enough funds'
      of.balance -= value
      of.pending += value
    } else if (method === 'unstake') {
      if (of.staked < value) return 'not enough stake'
      of.staked -= value
      of.requests.push({ id: ++requests, amount: value, release: epoch + 1n })
    } else {
      const request = of.requests.find(({ id }) => id === value)
      if (!request || request.release > epoch) return 'nothing to pay out'
      of.requests = of.requests.filter((each) => each !== request)
      of.balance += request.amount
    }
    return null
  }

  const methods: Record<string, (params: string[]) => unknown> = {
    chain: () => CHAIN,
    epoch: () => epoch,
    // Of no use to anybody, and named by no requirement.
    spare: () => epoch,
    fee: () => FEE,
    validator: () => ({ rate: 5, fee: 10 }),
    takes: () => (open ? 'stake' : 'nothing'),
    open: () => (open = true),
    close: () => (open = false),
    users: () => accounts.size,
    account: ([address = '']) => account(address),
    simulate: ([text = '']) => {
      const { signer, calls } = JSON.parse(text) as PaperTransaction
      const copy = structuredClone(account(signer))
      return calls.map((call) => run(copy, call)).find((why) => why !== null) ?? 'ok'
    },
    submit: ([text = '']) => {
      const hash = hashOf(text)
      if (landed.has(hash)) return hash
      const { transaction } = JSON.parse(text) as { transaction: PaperTransaction }
      const of = account(transaction.signer)
      if (BigInt(transaction.sequence) !== of.sequence) return 'refused: another sequence'
      const before = of.requests.map(({ id }) => `${id}`)
      const why = transaction.calls.map((call) => run(of, call)).find((each) => each !== null)
      if (why) return `refused: ${why}`
      used.set(`${transaction.signer} ${of.sequence}`, hash)
      of.sequence++
      of.balance -= FEE
      const { signer, calls } = transaction
      const made = of.requests.map(({ id }) => `${id}`).filter((id) => !before.includes(id))
      landed.set(hash, { height: `${landed.size + 1}`, fee: `${FEE}`, signer, made, calls })
      return hash
    },
    landed: ([hash = '']) => landed.has(hash),
    record: ([hash = '']) => landed.get(hash) ?? 'none',
    used: ([signer = '', sequence = '']) => used.get(`${signer} ${sequence}`) ?? 'nobody',
  }

  const answered = (method: string, params: string[]) => {
    try {
      return { result: methods[method]!(params) }
    } catch {
      return { error: { code: -32_602, message: 'params that are none' } }
    }
  }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, params } = JSON.parse(body) as { method: string; params: string[] }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answered(method, params), (_key, each) => (typeof each === 'bigint' ? `${each}` : each)))
  })
  const url = await listen(server, 0, 'paper')
  const door = await openDoor({ id: `paper:${CHAIN}`, engine: { url, close: () => shut(server) }, log })
  return {
    id: `paper:${CHAIN}`,
    rpcUrl: door.url,
    async fund(address, amount) {
      account(address).balance += units(amount)
      return {}
    },
    async advance(step) {
      for (let passed = 0; 'epochs' in step && passed < step.epochs; passed++) {
        epoch++
        for (const each of accounts.values()) {
          each.staked += each.pending
          each.pending = 0n
        }
      }
      return { epoch: Number(epoch) }
    },
    fault: door.fault,
    onClose: door.onClose,
    close: door.close,
  }
}
