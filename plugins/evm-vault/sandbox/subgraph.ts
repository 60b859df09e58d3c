import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Field, parseQuery, project, type Value } from './graphql.ts'
import { actionsOf, type Day, dailyOf, exitsOf, type Price } from './subgraph-entities.ts'
import type { World } from './world.ts'

/** Notes of the scenario for the subgraph, which the chain does not tell. */
interface Records {
  /** Prices after each oracle update, oldest first. */
  readonly prices: readonly Price[]
  /** The last block of each day. */
  readonly days: readonly Day[]
  /** When exits that wait now are expected to be processed, in seconds since 1970. */
  expectedAt(): number
}

const YEAR_SECONDS = 31_536_000
const WEEK_SECONDS = 604_800

/** Starts a subgraph of the vault on 127.0.0.1. It has no store: every query is answered from the chain's events and state. */
export async function startSubgraph(world: World, records: Records): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server: Server = createServer(async (request, response) => {
    const answer = await handle(world, records, request).catch((error: Error) => ({ errors: [{ message: error.message }] }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new TypeError('the subgraph has no port')
  return {
    url: `http://127.0.0.1:${bound.port}/subgraphs/name/vault`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

async function handle(world: World, records: Records, request: IncomingMessage): Promise<object> {
  const body: { query: string; variables?: Record<string, Value> } = JSON.parse(await text(request))
  const { query, variables = {} } = body
  const data: Record<string, unknown> = {}
  for (const field of parseQuery(query, variables)) data[field.name] = project(await resolve(world, records, field), field)
  return { data }
}

/** Members of an argument that is an object; none of another. */
function membersOf(value: Value | undefined): Readonly<Record<string, Value>> {
  return typeof value === 'object' && value !== null ? value : {}
}

async function resolve(world: World, records: Records, { name, args }: Field): Promise<unknown> {
  const where = membersOf(args.where)
  const page = <T>(rows: readonly T[]) => rows.slice(Number(args.skip ?? 0), Number(args.skip ?? 0) + Number(args.first ?? 100))
  const own = (vault: Value | undefined) => String(vault) === world.vault.toLowerCase()
  switch (name) {
    case '_meta': {
      const { block: number, timestamp } = await world.chain.latest()
      return { block: { number, timestamp }, hasIndexingErrors: false }
    }
    case 'vault':
      return own(args.id) ? vaultOf(world, records) : null
    case 'exitRequests': {
      if (!own(where.vault)) return []
      const rows = await exitsOf(world, String(where.receiver), records.expectedAt())
      return page(rows.filter(({ isClaimed }) => where.isClaimed === undefined || isClaimed === where.isClaimed))
    }
    case 'allocatorActions':
      return own(membersOf(where.vault_).id) ? page((await actionsOf(world, String(where.address))).reverse()) : []
    case 'allocatorSnapshots': {
      const allocator = membersOf(where.allocator_)
      return own(allocator.vault) ? page((await dailyOf(world, records.days, String(allocator.address))).reverse()) : []
    }
    default:
      throw new SyntaxError(`Type \`Query\` has no field \`${name}\``)
  }
}

async function vaultOf(world: World, { prices }: Records): Promise<object> {
  const { vault: id, report, shared } = world
  const [totalAssets, totalShares, capacity, feePercent, version, canHarvest, isCollateralized] = await Promise.all([
    world.read<bigint>('totalAssets'),
    world.read<bigint>('totalShares'),
    world.read<bigint>('capacity'),
    world.read<bigint>('feePercent'),
    world.read<bigint>('version'),
    world.readShared<boolean>('keeper', 'canHarvest', [world.vault]),
    world.readShared<boolean>('keeper', 'isCollateralized', [world.vault]),
  ])
  return {
    id: id.toLowerCase(),
    apy: rateOf(prices).toString(),
    totalAssets: totalAssets.toString(),
    totalShares: totalShares.toString(),
    capacity: capacity.toString(),
    feePercent: Number(feePercent),
    version: version.toString(),
    canHarvest,
    isCollateralized,
    isMetaVault: false,
    mevEscrow: shared.keeper.toLowerCase(),
    rewardsRoot: report?.rewardsRoot ?? null,
    proofReward: report?.reward.toString() ?? null,
    proofUnlockedMevReward: report?.unlockedMevReward.toString() ?? null,
    proof: report?.proof ?? null,
  }
}

/** A simple rate over up to a week, in percent a year; 0 before there are two prices. */
function rateOf(prices: readonly Price[]): number {
  const last = prices.at(-1)
  const first = prices.find(({ timestamp }) => last !== undefined && last.timestamp - timestamp <= WEEK_SECONDS)
  if (!first || !last || first === last) return 0
  const growth = Number(((last.price - first.price) * 10n ** 18n) / first.price) / 1e18
  return Number(((growth * YEAR_SECONDS * 100) / (last.timestamp - first.timestamp)).toPrecision(12))
}
