import { MsgCreateValidator } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import type { CosmosFamily, GenesisState } from './family.ts'
import { type NodeKey, type Wallet, walletOf } from './keys.ts'
import { writeTransaction } from './transaction.ts'

/** Whole tokens that each validator stakes with itself: the third or fourth can stop while two thirds of the power go on. */
const POWER = [40, 30, 20, 10] as const
/** Base units of a token. */
const TOKEN = 1_000_000n
/** Stake of a share of `POWER`, in base units: so much that whatever the lives stake changes nobody's part. */
const SHARE = 1_000_000n * TOKEN
/** Amount that each wallet has in the beginning, in base units. */
const FUNDS = 100_000n * TOKEN
/** Gas of a transaction that makes a validator: more than any takes. */
const GAS = 400_000n

/** One validator with its node. */
export interface Validator {
  readonly owner: Wallet
  readonly key: NodeKey
  readonly node: NodeKey
}

/** Coins of a wallet besides the chain's token, in base units by denomination. */
export type Extra = Readonly<Record<string, bigint>>

/**
 * Fills in what `init` wrote: accounts with coins, and the transactions that make the validators.
 *
 * @param extra of the wallets by name
 */
export function fillGenesis(
  state: GenesisState,
  family: CosmosFamily,
  { validators, wallets, extra }: { validators: readonly Validator[]; wallets: readonly Wallet[]; extra: Readonly<Record<string, Extra>> },
): void {
  const { app_state } = state
  const owners = validators.map(({ owner }) => owner)
  // In the order of the accounts their numbers are given.
  const all = [...owners, ...wallets]
  app_state.auth.accounts = all.map(({ address }, number) => ({
    '@type': '/cosmos.auth.v1beta1.BaseAccount',
    address,
    pub_key: null,
    account_number: String(number),
    sequence: '0',
  }))
  app_state.bank.balances = all.map(({ address, name }, index) => ({
    address,
    coins: coins({ ...extra[name], [family.denom]: index < owners.length ? 100n * SHARE : FUNDS }),
  }))
  app_state.bank.supply = []
  app_state.genutil.gen_txs = validators.map((validator, index) => genesisTransaction(family, validator, BigInt(POWER[index] ?? 0) * SHARE))
  family.genesis(state)
}

/** Coins in the order that the chain wants. */
export function coins(amounts: Extra): readonly { readonly denom: string; readonly amount: string }[] {
  return Object.entries(amounts)
    .map(([denom, amount]) => ({ denom, amount: String(amount) }))
    .sort((a, b) => (a.denom < b.denom ? -1 : 1))
}

/** As `genesis gentx` writes it. @see https://docs.cosmos.network/v0.53/user/run-node/run-node (read 2026-11-24) */
function genesisTransaction(family: CosmosFamily, { owner, key, node }: Validator, stake: bigint) {
  const { denom, commission, chainId } = family
  const value = { denom, amount: String(stake) }
  const rates = { rate: decimal(commission), maxRate: decimal('1'), maxChangeRate: decimal('0.01') }
  const description = { moniker: owner.name, identity: '', website: '', securityContact: '', details: '' }
  const message = MsgCreateValidator.fromPartial({
    description,
    commission: rates,
    minSelfDelegation: '1',
    validatorAddress: owner.operator,
    pubkey: { typeUrl: '/cosmos.crypto.ed25519.PubKey', value: Buffer.from([0x0a, 0x20, ...Buffer.from(key.publicKey, 'base64')]) },
    value,
  })
  const fee = family.genesisFee > 0n ? [{ denom, amount: String(family.genesisFee) }] : []
  const memo = `${node.id}@127.0.0.1:0`
  const { signature } = writeTransaction({
    chainId,
    messages: [{ typeUrl: MsgCreateValidator.typeUrl, value: MsgCreateValidator.encode(message).finish() }],
    signer: owner,
    accountNumber: 0n,
    sequence: 0n,
    gasLimit: GAS,
    fee,
    memo,
  })
  return {
    body: {
      messages: [
        {
          '@type': MsgCreateValidator.typeUrl,
          description: { moniker: owner.name, identity: '', website: '', security_contact: '', details: '' },
          commission: { rate: fixed(commission), max_rate: fixed('1'), max_change_rate: fixed('0.01') },
          min_self_delegation: '1',
          delegator_address: '',
          validator_address: owner.operator,
          pubkey: { '@type': '/cosmos.crypto.ed25519.PubKey', key: key.publicKey },
          value,
        },
      ],
      memo,
      timeout_height: '0',
      extension_options: [],
      non_critical_extension_options: [],
    },
    auth_info: {
      signer_infos: [
        {
          public_key: { '@type': '/cosmos.crypto.secp256k1.PubKey', key: Buffer.from(owner.publicKey).toString('base64') },
          mode_info: { single: { mode: 'SIGN_MODE_DIRECT' } },
          sequence: '0',
        },
      ],
      fee: { amount: fee, gas_limit: String(GAS), payer: '', granter: '' },
    },
    signatures: [Buffer.from(signature).toString('base64')],
  }
}

/** A share as JSON has it: 18 decimals. */
function fixed(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(18, '0')}`
}

/** The same as bytes have it: without the point. */
function decimal(text: string): string {
  return String(BigInt(fixed(text).replace('.', '')))
}

/** Wallets of the validators of a chain. */
export function ownersOf(prefix: string): readonly Wallet[] {
  return POWER.map((_, index) => walletOf(`v${index}`, prefix))
}
