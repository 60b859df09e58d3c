import { membersOf } from '@svc/contract'
import { amountMark, schemaRef } from '@svc/contract/host'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { shortName } from '../base/short-name.ts'
import { accountParameter, oneAccount } from '../http/account-scope.ts'
import { principalOf } from '../http/request.ts'
import { operations } from '../http/session.ts'
import type { Accounts, EnabledNetwork } from '../plugins/accounts.ts'
import type { Conditions } from '../plugins/conditions.ts'
import { termsOf } from '../plugins/craft/pinned-terms.ts'
import type { LoadedPlugin } from '../plugins/discover.ts'
import type { Infos } from '../plugins/infos.ts'
import { priceIdOf, resolveNetwork } from '../plugins/network/settings.ts'
import type { PendingControls } from '../plugins/pending-control.ts'
import type { Price } from '../plugins/price.ts'
import { infoToWire } from '../plugins/routes/wire.ts'
import type { NetworkSettings } from '../plugins/services.ts'
import { conditionMembers, conditionToWire } from './condition-wire.ts'

const nullable = <T>(type: string, description: string, examples: readonly unknown[]) =>
  Type.Unsafe<T | null>({ type: [type, 'null'], description, examples })

const Network = Type.Object(
  {
    network: Type.String({ description: 'Value for X-NETWORK.', examples: ['143'] }),
    name: Type.String({ description: "The operator's word for it.", examples: ['mainnet'] }),
    caip2: Type.String({ description: 'The chain by CAIP-2.', examples: ['eip155:143'] }),
    default: Type.Boolean({ description: 'True for the network that is taken where X-NETWORK is left out.', examples: [true] }),
    terms: nullable<object>('object', 'What a trust document pins of it; null for a protocol whose plugin has no intent.', [
      { chainId: '143', caip2: 'eip155:143', decimals: 18, symbol: 'MON', max_fee: '0.5', validator_id: 12 },
    ]),
    staking_info: Type.Unsafe<object | null>({
      anyOf: [schemaRef('StakingInfo'), { type: 'null' }],
      description:
        'What GET …/staking-info answers, from the same snapshot and without a request to the chain; null while it is not complete.',
    }),
    staking_info_age_seconds: nullable<number>(
      'integer',
      'Seconds since its oldest value was read; null while it is not complete.',
      [1200],
    ),
    ...conditionMembers,
  },
  { title: 'ProtocolNetwork' },
)

const INPUT_TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const
type InputType = (typeof INPUT_TYPES)[number]

const Action = Type.Object(
  {
    name: Type.String({ description: 'The word behind /action/.', examples: ['delegate'] }),
    path: Type.String({ description: 'Where it is posted to.', examples: ['/api/v1/evm-three/native/action/delegate'] }),
    summary: Type.String({ description: 'What it is for.', examples: ["Delegate to the operator's validator"] }),
    input: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'Member of the body.', examples: ['amount'] }),
          required: Type.Boolean({ description: 'Whether it may not be left out.', examples: [true] }),
          type: Type.Unsafe<InputType>({
            type: 'string',
            enum: [...INPUT_TYPES],
            description: 'What it is in JSON.',
            examples: ['number'],
          }),
          amount: Type.Boolean({ description: 'Whether it is an amount: a number, or its exact decimal text.', examples: [true] }),
          description: nullable<string>('string', 'What it is; null where its name says it.', ['Amount in native tokens.']),
        },
        { title: 'ProtocolInput' },
      ),
      { description: 'Members of its body, in order.' },
    ),
  },
  { title: 'ProtocolAction' },
)

const Protocol = Type.Object(
  {
    protocol: Type.String({ description: 'Short name of its plugin.', examples: ['evm-three'] }),
    path: Type.String({ description: 'What its paths begin with.', examples: ['/api/v1/evm-three/native'] }),
    title: Type.String({ description: 'What a person calls it.', examples: ['Monad'] }),
    summary: Type.String({ description: 'One line about it.', examples: ['Monad. Native delegation, with numbered withdrawal slots.'] }),
    version: Type.String({ description: 'Version of its plugin.', examples: ['1.0.0'] }),
    family: Type.String({ description: 'Family of chains.', examples: ['evm'] }),
    symbol: nullable<string>('string', 'Symbol of the native token; null where the plugin names none.', ['MON']),
    signer: Type.String({ description: 'Member of every action that names who signs.', examples: ['address'] }),
    term_descriptions: Type.Record(Type.String(), Type.String(), {
      description: 'What the terms of its own mean, by name.',
      examples: [{ validator_id: "Number of the operator's validator." }],
    }),
    networks: Type.Array(Network, { description: 'Those that are enabled for the account.' }),
    actions: Type.Array(Action, { description: 'What can be crafted.' }),
  },
  { title: 'EnabledProtocol', description: 'A protocol that is enabled for an account.' },
)

/** Sources from which the protocols are described. */
interface ProtocolParts {
  readonly plugins: readonly LoadedPlugin[]
  readonly accounts: Pick<Accounts, 'has' | 'ids' | 'enabled'>
  readonly infos: Pick<Infos, 'all'>
  readonly conditions: Pick<Conditions, 'of'>
  readonly pending: Pick<PendingControls, 'of'>
  /** Announces a token whose price is wanted. */
  watchPrice(id: string): () => Promise<Price | null>
  now(): Date
}

/** Registers `GET /protocols`: the protocols that are enabled for an account, with their terms. It asks no chain. */
export function registerProtocols(
  app: FastifyInstance,
  { plugins, accounts, infos, conditions, pending, watchPrice, now }: ProtocolParts,
): void {
  const actionsOf = new Map(plugins.map((plugin) => [plugin, describeActions(plugin)]))

  async function networkOf({ plugin: { protocol } }: LoadedPlugin, { network: settings, isDefault }: EnabledNetwork) {
    const network = resolveNetwork(protocol, settings)
    const info = await infoOf(protocol, settings)
    return {
      network: network.chainId,
      name: network.name,
      caip2: protocol.kit.caip2(network),
      default: isDefault,
      terms: protocol.intent ? termsOf(protocol, network) : null,
      staking_info: info?.shown ?? null,
      staking_info_age_seconds: info ? Math.max(0, Math.floor((now().getTime() - info.oldest) / 1000)) : null,
      ...conditionToWire(conditions.of(settings), pending.of(settings), now().getTime()),
    }
  }

  /** As the protocol's own route answers it. */
  async function infoOf(protocol: LoadedPlugin['plugin']['protocol'], settings: NetworkSettings) {
    const reading = infos
      .all()
      .find(({ network }) => network === settings)
      ?.look()
    if (!reading) return null
    const { terms, takenAt } = reading
    const priceId = terms.tvl === null ? null : priceIdOf(protocol, settings)
    const price = priceId === null ? null : await watchPrice(priceId)()
    const oldest = Math.min(takenAt.getTime(), price?.at.getTime() ?? Number.POSITIVE_INFINITY)
    return { shown: infoToWire(terms, protocol.kit.decimals, price), oldest }
  }

  app.get<{ Querystring: Static<typeof Query> }>(
    '/protocols',
    {
      config: { credential: 'token' },
      schema: {
        ...operations,
        summary: 'Protocols that are enabled for an account, with their terms and the state of what they stake with',
        description: 'An operator token says which `account`, unless there is one only. No chain is asked.',
        querystring: Query,
        response: { 200: Type.Array(Protocol), 400: schemaRef('Error') },
      } as object,
    },
    async (request) => {
      const [only, ...others] = accounts.ids
      const accountId = request.query.account ?? (principalOf(request).kind === 'operator' && others.length === 0 ? only : undefined)
      const account = oneAccount(request, accounts, accountId)
      const entries = plugins.map(async (plugin) => {
        const networks = accounts.enabled(account, plugin.name)
        if (networks.length === 0) return []
        const { kit, prefix, summary, symbol = kit.symbol } = plugin.plugin.protocol
        return {
          protocol: shortName(plugin.name),
          path: `/api/v1${prefix}`,
          title: titleOf(summary),
          summary,
          version: plugin.version,
          family: kit.family,
          symbol: symbol ?? null,
          signer: kit.signer,
          term_descriptions: describeTerms(plugin),
          networks: await Promise.all(networks.map((network) => networkOf(plugin, network))),
          actions: actionsOf.get(plugin) ?? [],
        }
      })
      return (await Promise.all(entries)).flat()
    },
  )
}

const Query = Type.Object({ account: accountParameter })

function describeActions({ plugin: { protocol } }: LoadedPlugin): readonly Static<typeof Action>[] {
  return Object.entries(protocol.actions).map(([name, { summary, body }]) => {
    const required = new Set<unknown>(Type.Object(body).required ?? [])
    return {
      name,
      path: `/api/v1${protocol.prefix}/action/${name}`,
      summary,
      input: Object.entries<unknown>(body).map(([member, schema]) => {
        const { description, type } = membersOf(schema)
        return {
          name: member,
          required: required.has(member),
          type: typeOf(type),
          amount: amountMark(schema) !== undefined,
          description: typeof description === 'string' ? description : null,
        }
      }),
    }
  })
}

/** Names the type of a member. An amount may be a number or a text: the first that its schema names. A schema without a type is of an object. */
function typeOf(type: unknown): InputType {
  const [first = type] = Array.isArray(type) ? type : []
  return INPUT_TYPES.find((each) => each === first) ?? 'object'
}

function describeTerms({ plugin: { protocol } }: LoadedPlugin): Readonly<Record<string, string>> {
  const { intent } = protocol
  if (!intent) return {}
  const terms = Object.entries({ ...intent.family.terms, ...intent.terms })
  return Object.fromEntries(terms.map(([name, { description }]) => [name, description]))
}

/** Returns what a summary is about, with which it begins: `Monad. Native delegation, …`. */
function titleOf(summary: string): string {
  const end = summary.indexOf('. ')
  return (end === -1 ? summary : summary.slice(0, end)).replace(/\.$/, '')
}
