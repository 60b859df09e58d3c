import { errorRefs, isServiceError, type Reads, TokenAmount } from '@svc/contract'
import { checksumAddress, EvmAddress } from '@svc/kit-evm'
import { type Static, Type } from 'typebox'
import type { VaultContext } from './network.ts'
import { PAGE, readHistory, readStats } from './subgraph/history.ts'
import { readRate } from './subgraph/rate.ts'

const HistorySchema = Type.Array(
  Type.Object(
    {
      id: Type.String({
        description: 'Identifier of the event: transaction hash and log index.',
        examples: ['0xdc45b54cc9f290d8d63cbbb9942d4abc784bf633b2aaf59dfaa8981095417b75-3'],
      }),
      assets: Type.String({ description: 'Amount in ether units.', examples: ['1.5'] }),
      shares: Type.String({ description: 'Shares, or osToken, in ether units.', examples: ['1.494464944694133386'] }),
      actionType: Type.String({ description: 'What happened, in the protocol’s words.', examples: ['Deposited'] }),
      link: Type.String({
        description: 'The transaction in a block explorer.',
        examples: ['https://etherscan.io/tx/0xdc45b54cc9f290d8d63cbbb9942d4abc784bf633b2aaf59dfaa8981095417b75'],
      }),
      createdAt: Type.Integer({ description: 'When, in milliseconds since 1970.', examples: [1_760_000_000_000] }),
    },
    { title: 'StakewiseAction', description: 'Something that an address did in the vault.' },
  ),
)

const VaultSchema = Type.Object(
  {
    vaultAddress: Type.String({ description: "The operator's vault.", examples: ['0xAC0F906E433d58FA868F936E8A43230473652885'] }),
    apy: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Percent a year after the vault’s fee, as the protocol measures it; null while its indexer does not say.',
      examples: [2.85],
    }),
  },
  { title: 'VaultInfo', description: 'The vault and what it earns.' },
)

const StatsSchema = Type.Array(
  Type.Object(
    {
      time: Type.Integer({ description: 'Midnight UTC of the day, in milliseconds since 1970.', examples: [1_760_054_400_000] }),
      balance: TokenAmount('Assets of the address in the vault, in ether units.', [12.80999999991]),
      apy: Type.Number({ description: 'Percent a year.', examples: [2.8471] }),
      rewards: TokenAmount('Assets earned on that day, in ether units; may be negative.', [0.0012345]),
    },
    { title: 'UserStats', description: 'A day of an address in the vault.' },
  ),
)

const refusals = errorRefs(400, 502, 503, 504)
const params = Type.Object({ address: EvmAddress })

/** Registers the protocol's own reads: the history of an address, the earnings of the vault, and the daily figures of an address. All come from the subgraph. */
export function routes(reads: Reads<VaultContext>): void {
  reads.get(
    '/historic/:address',
    {
      summary: 'What an address did',
      description: 'All past actions of all kinds, newest first. Empty where no indexer is configured.',
      params,
      response: { 200: HistorySchema, ...refusals },
    },
    async (ctx, request): Promise<Static<typeof HistorySchema>> => [...(await readHistory(ctx, checksumAddress(request.params.address)))],
  )

  reads.get(
    '/vault',
    {
      summary: 'The vault and what it earns',
      description: 'The address that stakes go to, and what a staker earned lately, percent a year.',
      response: { 200: VaultSchema, ...refusals },
    },
    async (ctx): Promise<Static<typeof VaultSchema>> => {
      return { vaultAddress: ctx.network.vault, apy: await rateOrNull(ctx) }
    },
  )

  reads.get(
    '/stats/:address',
    {
      summary: 'The last days of an address',
      description: 'One item a day, oldest first. Empty before the first midnight of a stake, and where no indexer is configured.',
      params,
      querystring: Type.Object({
        days: Type.Integer({ minimum: 1, maximum: PAGE, default: 7, description: 'Window in days.' }),
      }),
      response: { 200: StatsSchema, ...refusals },
    },
    async (ctx, request): Promise<Static<typeof StatsSchema>> => [
      ...(await readStats(ctx, checksumAddress(request.params.address), request.query.days)),
    ],
  )
}

/** The vault's address is known whatever the subgraph does. */
async function rateOrNull(ctx: VaultContext): Promise<number | null> {
  try {
    return await readRate(ctx)
  } catch (error) {
    if (!isServiceError(error)) throw error
    ctx.log.warn({ err: error, network: ctx.network.chainId }, 'the rate of the vault could not be read')
    return null
  }
}
