// Subpath `@svc/verify/cosmos/inspected`: what the Inspector knows of chains of the Cosmos SDK besides how their transactions are read.
import type { InspectedFamily, JoinedParts, KnownNetwork, OwnReader, Risk } from '../intent/inspected.ts'
import type { Family } from '../intent/types.ts'
import { cosmos } from './family.ts'
import { namesIn, wordsIn } from './names.ts'

// https://github.com/cosmos/chain-registry (cosmoshub/chain.json, celestia/chain.json; read 2026-11-22), by the base unit of fees.
const NETWORKS: Readonly<Record<string, KnownNetwork>> = {
  uatom: {
    name: 'Cosmos Hub',
    terms: { chainId: 'cosmoshub-4', caip2: 'cosmos:cosmoshub-4', decimals: 6, symbol: 'ATOM' },
    usualFee: '0.002',
  },
  utia: { name: 'Celestia', terms: { chainId: 'celestia', caip2: 'cosmos:celestia', decimals: 6, symbol: 'TIA' }, usualFee: '0.002' },
}

/** Finds a chain by the base unit of its fees. */
function networkOf(denom: string, prefix: string): KnownNetwork {
  const other = `a chain with addresses ${prefix}1…`
  return (
    NETWORKS[denom] ?? { name: other, terms: { chainId: other, caip2: `cosmos:${prefix}`, decimals: 0, symbol: denom }, usualFee: '100000' }
  )
}

/** Makes the reader of the chain whose prefix, unit and kind of key the transaction itself has. @throws DecodeError */
function reader(text: string): OwnReader {
  const names = namesIn(text)
  const { memo, pubkey } = wordsIn(text)
  return {
    family: cosmos(names),
    network: networkOf(names.denom, names.prefix),
    terms: memo === '' ? {} : { memo },
    signer: pubkey,
  }
}

// https://github.com/cosmos/cosmos-sdk/tree/main/proto/cosmos, https://github.com/cosmos/ibc-go/tree/main/proto (read 2026-11-22).
const RISKS: Readonly<Record<string, Risk>> = {
  '/cosmos.authz.v1beta1.MsgGrant': {
    name: 'grant',
    why: 'It lets another account act for this one, until the grant ends or is taken back.',
  },
  '/cosmos.authz.v1beta1.MsgExec': { name: 'acting for another', why: 'It does something for another account, by a grant.' },
  '/cosmos.feegrant.v1beta1.MsgGrantAllowance': { name: 'fee allowance', why: 'It lets another account pay its fees out of this one.' },
  '/cosmos.bank.v1beta1.MsgSend': { name: 'transfer', why: 'It sends coins to another account.' },
  '/cosmos.bank.v1beta1.MsgMultiSend': { name: 'transfer', why: 'It sends coins to other accounts.' },
  '/cosmos.distribution.v1beta1.MsgSetWithdrawAddress': {
    name: 'change of the withdraw address',
    why: 'All rewards are paid to another account from then on.',
  },
  '/cosmos.staking.v1beta1.MsgBeginRedelegate': {
    name: 'redelegation',
    why: 'It moves stake to another validator, and binds it there for the time of unbonding.',
  },
  '/ibc.applications.transfer.v1.MsgTransfer': { name: 'transfer to another chain', why: 'It sends coins to an account of another chain.' },
}

/**
 * Reads the body of a prepare request.
 *
 * @see plain field 3 of TxRaw: https://github.com/cosmos/cosmos-sdk/blob/main/proto/cosmos/tx/v1beta1/tx.proto (read 2026-11-22)
 */
function joined({ tx_body_hex: body, signature_hex: signature }: Readonly<Record<string, unknown>>): JoinedParts | null {
  if (typeof body !== 'string') return null
  const what = 'the body of a prepare request'
  if (signature === undefined) return { text: body, what }
  const digits = typeof signature === 'string' ? signature.replace(/^0x/, '') : ''
  if (!/^[0-9a-f]{128}$/i.test(digits)) return { why: 'signature_hex of this prepare request is not hex of 64 bytes.' }
  return { text: `${body}1a40${digits}`, what }
}

const inspected: InspectedFamily = {
  title: 'Cosmos',
  called: 'Message',
  network: () => networkOf('', ''),
  reader,
  risk: ({ target }) => RISKS[target] ?? null,
  stated: {
    'x-account-number': {
      label: 'Account number',
      hint: 'Of the account, as x-account-number said beside the answer. The hash that is signed covers it, and the bytes do not have it.',
      pattern: String.raw`0|[1-9]\d{0,19}`,
      wrong: 'An account number has digits only.',
    },
  },
  joined,
}

/** Family of the Cosmos SDK's chains for inspection, with the facts known without any protocol; a transaction's own bytes tell its chain. */
export const inspectedCosmos: Family = { ...cosmos({ prefix: 'cosmos', denom: 'uatom', algorithm: 'secp256k1' }), inspected }
