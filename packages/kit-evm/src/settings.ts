import type { NetworkBase } from '@svc/contract'
import { type Static, Type } from 'typebox'
import { EvmAddress } from './address.ts'
import { lifeSettings } from './life/settings.ts'

/** Settings of the family's client, beside the protocol's own. */
export const evmSettings = Type.Object({
  /** @see https://www.multicall3.com/deployments (read 2026-11-21): the same address on every chain that has it */
  multicall: Type.Unsafe<string>({ ...EvmAddress, default: '0xcA11bde05977b3631167028862bE2a173976CA11' }),
  batch_max: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: 'Most calls the endpoints take in one JSON-RPC batch; 1 switches batches off.',
  }),
  gas_price_percent: Type.Integer({
    minimum: 100,
    maximum: 500,
    default: 110,
    description: "Gas price of a crafted transaction, percent of the chain's own suggestion.",
  }),
  gas_price_least: gasPriceLeast(0),
  gas_limit_percent: gasLimitPercent(100, 'Some chains charge the limit, not what was used.', 200),
  /** Most that a transaction may have on Monad; a protocol whose actions were measured says less. */
  max_gas_limit: maxGasLimit(30_000_000),
  max_block_age: Type.Integer({
    minimum: 0,
    default: 900,
    description: "Seconds that a node's last block may lie back before its answers are taken for stale; 0 for no limit.",
  }),
  ...lifeSettings,
})

/** Settings of the family, as read. */
export interface EvmSettings extends Static<typeof evmSettings> {}

/** A network of the family, as the plugin's settings were checked and filled in. */
export type EvmNetwork = NetworkBase & EvmSettings

/** Makes the setting `gas_limit_percent`, for a protocol with a default of its own. @param charged what the chain charges, as a sentence */
export function gasLimitPercent(standard: number, charged: string, maximum = 300) {
  const description = `Gas limit of a crafted transaction, percent of the estimate. ${charged}`
  return Type.Integer({ minimum: 100, maximum, default: standard, description })
}

/** Makes the setting `gas_price_least`, for a chain that has a least price. @param standard default in wei */
export function gasPriceLeast(standard: number) {
  return Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: standard,
    description:
      'Wei for a unit of gas that the chain takes at least; what one endpoint tells below that counts when none tells more. 0 where the chain has no such price.',
  })
}

/**
 * Makes the setting `max_gas_limit`, for a protocol with a default of its own: about twice the gas of its most expensive action.
 *
 * @param standard units of gas of an estimate, before `gas_limit_percent`
 */
export function maxGasLimit(standard: number) {
  const description = 'Most gas that an estimate is believed; the gas limit is at most `gas_limit_percent` of it.'
  return Type.Integer({ minimum: 21_000, default: standard, description })
}

/** Makes the setting `log_blocks`, for a protocol that reads logs of events. @param standard default in blocks */
export function logBlocks(standard: number) {
  const description = 'Most blocks of which the endpoints serve logs in one call.'
  return Type.Integer({ minimum: 1, maximum: 100_000, default: standard, description })
}
