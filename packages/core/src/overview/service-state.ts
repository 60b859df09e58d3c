import { hostname } from 'node:os'
import { type Static, Type } from 'typebox'
import { shortName } from '../base/short-name.ts'
import type { Lateness, ReadLateness } from '../life/lateness.ts'
import type { Infos } from '../plugins/infos.ts'
import { REFRESH_MS } from '../plugins/network/snapshot.ts'
import type { EndpointState } from '../rpc/endpoints.ts'
import type { Upstreams } from '../rpc/upstreams.ts'

const nullable = <T>(type: 'string' | 'number' | 'integer', description: string, example: unknown) =>
  Type.Unsafe<T | null>({ type: [type, 'null'], description, examples: [example] })
const protocol = nullable<string>('string', 'Short name of the plugin; null for the source of prices.', 'evm-three')
const network = nullable<string>('string', 'Value for X-NETWORK; null for the source of prices.', '143')

const EndpointSchema = Type.Object(
  {
    protocol,
    network,
    group: Type.String({ description: 'Name of the group in the config.', examples: ['rpc'] }),
    position: Type.Integer({ description: 'Place in the group, from 1: the first is asked first.', examples: [1] }),
    host: Type.String({ description: 'Host of its address, and nothing else of it.', examples: ['rpc.example.com'] }),
    state: Type.Unsafe<'ok' | 'slow' | 'behind' | 'failing' | 'resting' | 'unused'>({
      type: 'string',
      enum: ['ok', 'slow', 'behind', 'failing', 'resting', 'unused'],
      description:
        '`slow`: it answers, and another one is asked first since that takes half as long; `behind`: it answers, and is asked last since its newest block is older than another one’s by more than 20 s; `failing`: its last answer was a failure; `resting`: besides, others are asked first for now; `unused`: never asked.',
    }),
    ms: nullable<number>('number', 'How long its last answer took, in milliseconds.', 42.1),
    last_error: nullable<string>('string', 'Why it failed last; null while it is ok.', 'timeout'),
    since: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Since when it is ok, or is not; null: never asked.',
      examples: ['2026-11-22T12:00:00.000Z'],
    }),
  },
  { title: 'EndpointHealth' },
)

const SnapshotSchema = Type.Object(
  {
    protocol: Type.String({ description: 'Short name of the plugin.', examples: ['evm-three'] }),
    network: Type.String({ description: 'Value for X-NETWORK.', examples: ['143'] }),
    age_seconds: nullable<number>('integer', 'Age of the oldest value of its staking-info; null: not complete yet.', 120),
    stale: Type.Boolean({ description: 'Whether it is older than it should be.' }),
  },
  { title: 'SnapshotAge' },
)

/** Members of the service's state that only operators see. */
export const ServiceStateSchema = Type.Object(
  {
    replica: Type.String({ description: 'Host and process that answered.', examples: ['node-1:4242'] }),
    started: Type.String({ format: 'date-time', description: 'When this process began to serve.', examples: ['2026-11-22T12:00:00.000Z'] }),
    endpoints: Type.Array(EndpointSchema, { description: 'As this process has found them; another replica may find otherwise.' }),
    snapshots: Type.Array(SnapshotSchema, { description: 'Of this process.' }),
    audit_unsaved: Type.Integer({ description: 'Audit records that this process has not saved yet.', examples: [0] }),
    following: Type.Object(
      {
        status: Type.Unsafe<Lateness['status']>({
          type: 'string',
          enum: ['up', 'late', 'unknown'],
          description: '`late`: something that is due has been waiting for 300 s or longer; `unknown`: the database did not say.',
        }),
        due_age_seconds: nullable<number>(
          'integer',
          'How long the oldest transaction or position that is due has been waiting to be looked at; null: not known.',
          0,
        ),
      },
      { description: 'Of all processes: how late what is followed is looked at.' },
    ),
    database: Type.Unsafe<'sqlite' | 'postgres'>({ type: 'string', enum: ['sqlite', 'postgres'], description: 'Which database it has.' }),
    version: Type.String({ description: 'Version of the service.', examples: ['1.0.0'] }),
  },
  { title: 'ServiceState', description: 'How the service is, for those who run it. What is of one process only says so.' },
)

/** Sources from which the state is read. */
export interface ServiceParts {
  readonly upstreams: Pick<Upstreams, 'states'>
  readonly infos: Pick<Infos, 'all'>
  readonly audit: { readonly depth: number }
  readonly lateness: ReadLateness
  readonly database: 'sqlite' | 'postgres'
  readonly version: string
  readonly started: Date
  now(): Date
}

/** A refresh that is due may take so long, in milliseconds, before what it replaces is called stale. */
const PATIENCE_MS = 300_000

/** Reads the state of this process, and from the database how late the whole service follows. */
export async function serviceState({
  upstreams,
  infos,
  audit,
  lateness,
  database,
  version,
  started,
  now,
}: ServiceParts): Promise<Static<typeof ServiceStateSchema>> {
  const { status, ms } = await lateness()
  const at = now().getTime()
  return {
    replica: `${hostname()}:${process.pid}`,
    started: started.toISOString(),
    endpoints: upstreams.states().flatMap(({ plugin, chainId, group, endpoints }) =>
      endpoints.map((endpoint) => ({
        protocol: plugin && shortName(plugin),
        network: chainId,
        group,
        position: endpoint.number,
        host: endpoint.host,
        state: stateOf(endpoint),
        ms: endpoint.lastMs && Math.round(endpoint.lastMs * 10) / 10,
        last_error: endpoint.reason,
        since: endpoint.sinceMs === null ? null : new Date(at - endpoint.sinceMs).toISOString(),
      })),
    ),
    snapshots: snapshotsOf(infos, at),
    audit_unsaved: audit.depth,
    following: { status, due_age_seconds: ms === null ? null : Math.floor(ms / 1000) },
    database,
    version,
  }
}

function stateOf({ used, healthy, slow, behindMs, coolingMs }: EndpointState): 'ok' | 'slow' | 'behind' | 'failing' | 'resting' | 'unused' {
  if (!used) return 'unused'
  if (healthy && behindMs !== null) return 'behind'
  if (healthy) return slow ? 'slow' : 'ok'
  return coolingMs > 0 ? 'resting' : 'failing'
}

/** Lists the snapshots with their ages. Of those of several accounts with settings of their own, the oldest age is shown; null if one is still missing. */
function snapshotsOf(infos: Pick<Infos, 'all'>, at: number): Static<typeof SnapshotSchema>[] {
  const ages = new Map<string, { readonly protocol: string; readonly network: string; readonly age: number | null }>()
  for (const { plugin, network: settings, look } of infos.all()) {
    const [protocol, network] = [shortName(plugin), settings.chainId]
    const name = `${protocol} ${network}`
    const takenAt = look()?.takenAt
    const other = ages.get(name)
    const age = takenAt === undefined || other?.age === null ? null : Math.max(at - takenAt.getTime(), other?.age ?? 0)
    ages.set(name, { protocol, network, age })
  }
  return [...ages.values()].map(({ protocol, network, age }) => ({
    protocol,
    network,
    age_seconds: age === null ? null : Math.floor(age / 1000),
    stale: age === null || age > REFRESH_MS + PATIENCE_MS,
  }))
}
