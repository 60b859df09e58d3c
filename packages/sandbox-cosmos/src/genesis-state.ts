import { sha256 } from '@cosmjs/crypto'
import { parseUnits, SandboxError, show } from '@svc/sandbox'
import { accountBytes, addressBytes, moduleBytes, toAddress } from './address.ts'
import type { Context } from './context.ts'
import { one, parseDec, toDec } from './dec.ts'
import type { CosmosGenesis, GenesisKeys, GenesisValidator } from './genesis.ts'
import { ensureAccount, moduleAddress, modules } from './modules/auth.ts'
import { delegateCoins, mintCoins } from './modules/bank.ts'
import { incrementPeriod, initializeDelegation, initializeValidator } from './modules/distribution.ts'
import { updateValidatorSet } from './modules/validators.ts'
import { openState, type State, status, type Validator } from './state.ts'

/** Builds the state before the first block: modules, idle coins, and validators with their own stake, the strongest of them bonded. */
export function buildState(chainId: string, genesis: CosmosGenesis, time: number): State {
  checkGenesis(genesis)
  const state = openState()
  state.numbers.set('genesisTime', BigInt(time))
  const ctx: Context = { chainId, genesis, state, height: 0n, time, proposer: '', events: [] }
  for (const module of modules) ensureAccount(state, moduleAddress(genesis, module), { module })
  mintCoins(ctx, toAddress(genesis.prefix, moduleBytes(`${chainId}/idle`)), parseUnits(genesis.idleSupply, genesis.decimals))
  for (const validator of genesis.validators) {
    const operator = operatorAddress(chainId, genesis, validator)
    const account = toAddress(genesis.prefix, addressBytes(operator, `${genesis.prefix}valoper`))
    const tokens = parseUnits(validator.tokens, genesis.decimals)
    state.validators.set(operator, newValidator(operator, validator))
    initializeValidator(state, operator)
    incrementPeriod(state, state.validators.existing(operator))
    if (validator.publicKey !== undefined) ensureAccount(state, account, { publicKey: Buffer.from(validator.publicKey, 'hex') })
    mintCoins(ctx, account, tokens)
    delegateCoins(ctx, account, 'not_bonded_tokens_pool', tokens)
    state.validators.set(operator, { ...state.validators.existing(operator), tokens, shares: toDec(tokens) })
    state.delegations.set(`${operator}/${account}`, toDec(tokens))
    initializeDelegation(ctx, operator, account)
  }
  updateValidatorSet(ctx)
  return state
}

/** Returns the operator address of a validator of the genesis, by its name; the first one's when the name is absent. @throws SandboxError `INVALID_INPUT` when there is none */
export function operatorNamed(chainId: string, genesis: CosmosGenesis, moniker?: string): string {
  const match = moniker === undefined ? genesis.validators[0] : genesis.validators.find((validator) => validator.moniker === moniker)
  if (match === undefined) throw new SandboxError('INVALID_INPUT', `cosmos:${chainId} has no validator ${show(moniker)}`)
  return operatorAddress(chainId, genesis, match)
}

/** Operator address of a validator of the genesis. */
function operatorAddress(
  chainId: string,
  genesis: GenesisKeys & { readonly prefix: string },
  { moniker, operator, publicKey }: GenesisValidator,
): string {
  const account = publicKey === undefined ? moduleBytes(`${chainId}/${moniker}`) : accountBytes(genesis, Buffer.from(publicKey, 'hex'))
  return operator ?? toAddress(`${genesis.prefix}valoper`, account)
}

/** Reads every rate once, so that a wrong one is met here and not in a query later. @throws RangeError */
function checkGenesis({ distribution, fees, mint, slashing, staking, validators }: CosmosGenesis): void {
  const rates: Readonly<Record<string, string>> = {
    communityTax: distribution.communityTax,
    minCommission: staking.minCommission,
    doubleSignFraction: slashing.doubleSignFraction,
    downtimeFraction: slashing.downtimeFraction,
    minSignedPerWindow: slashing.minSignedPerWindow,
    ...ratesOf(mint),
  }
  for (const [name, text] of Object.entries(rates)) {
    if (parseDec(text) > one) throw new RangeError(`${name} is ${text}: a rate is at most 1`)
  }
  if (mint.kind === 'inflation') parseDec(mint.inflationRateChange)
  if (mint.kind === 'schedule' && Number.isNaN(Date.parse(mint.since)))
    throw new RangeError(`since is ${mint.since}: it must be a time in ISO-8601`)
  const prices = fees.kind === 'feemarket' ? [fees.minBasePrice, fees.learningRate] : [fees.nodePrice, fees.networkPrice]
  for (const price of prices) parseDec(price)
  if (validators.length === 0) throw new RangeError('validators is empty: somebody must make the blocks')
  const names = validators.map(({ moniker }) => moniker)
  if (new Set(names).size < names.length) throw new RangeError(`validators are ${names.join(', ')}: no two may have the same moniker`)
  for (const { moniker, commission } of validators) {
    const rate = parseDec(commission)
    if (rate < parseDec(staking.minCommission) || rate > one) {
      throw new RangeError(`commission of ${moniker} is ${commission}: it must be from ${staking.minCommission} to 1`)
    }
  }
}

/** The rates of a way to mint, by name. */
function ratesOf(mint: CosmosGenesis['mint']): Readonly<Record<string, string>> {
  if (mint.kind === 'epoch') return { stakers: mint.stakers }
  if (mint.kind === 'rate') return { rate: mint.rate }
  if (mint.kind === 'schedule') return { initial: mint.initial, disinflation: mint.disinflation, floor: mint.floor }
  const { inflation, inflationMax, inflationMin, goalBonded } = mint
  return { inflation, inflationMax, inflationMin, goalBonded }
}

function newValidator(operator: string, { moniker, commission, consensusKey }: GenesisValidator): Validator {
  return {
    operator,
    moniker,
    // No block is signed here, so nobody needs to know the other half of it.
    consensusKey: consensusKey === undefined ? sha256(new TextEncoder().encode(operator)) : Buffer.from(consensusKey, 'base64'),
    tokens: 0n,
    shares: 0n,
    commission: parseDec(commission),
    status: status.unbonded,
    jailed: false,
    tombstoned: false,
    jailedUntil: 0,
    unbondingHeight: 0n,
    unbondingTime: 0,
  }
}
