import { decodeCall } from '../evm/decode.ts'
import type { Call } from '../types.ts'
import type { FamilyName } from './families.ts'

/** A call that is no part of staking and that gives something away. */
export interface Risk {
  /** What it is called: `approve`. */
  readonly name: string
  /** What it does, a sentence. */
  readonly why: string
}

/** What a call that no protocol knows is known for; null when it is not known here either. */
export function riskOf(family: FamilyName, call: Call): Risk | null {
  if (family === 'evm') return ofEvm(call)
  if (family === 'svm') return ofSvm(call)
  if (family === 'cosmos') return COSMOS[call.target] ?? null
  return MOVE[call.method.split('<')[0] ?? ''] ?? null
}

// EIP-20, EIP-721, EIP-1155, EIP-2612 and EIP-173: https://eips.ethereum.org (read 2026-11-22).
const APPROVE = 'approve(address spender, uint256 amount)'
const INCREASE = 'increaseAllowance(address spender, uint256 amount)'
const PERMIT = 'permit(address owner, address spender, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)'
const FOR_ALL = 'setApprovalForAll(address spender, bool approved)'
const TRANSFER = 'transfer(address to, uint256 amount)'
const FROM = 'transferFrom(address from, address to, uint256 amount)'
const OWNER = 'transferOwnership(address to)'
const EVM = [APPROVE, INCREASE, PERMIT, FOR_ALL, TRANSFER, FROM, OWNER]
/** Half of what can be written: wallets and exchanges write 2^256 - 1, some 2^255 or 2^255 - 1, for "without limit". */
const ENDLESS = 1n << 254n

function ofEvm({ args, target }: Call): Risk | null {
  const data = args.data
  const found = typeof data === 'string' ? decodeCall(data, EVM) : null
  if (found === null) return null
  const { spender, amount, to } = found.args
  switch (found.method) {
    case APPROVE:
    case INCREASE:
    case PERMIT: {
      const endless = typeof amount === 'bigint' && amount >= ENDLESS
      return endless
        ? {
            name: 'unlimited approval',
            why: `It lets ${spender} take every token that the wallet has or will have at ${target}, without limit and at any time.`,
          }
        : {
            name: 'approval',
            why: `It lets ${spender} take up to ${amount} base units of the token ${target} out of the wallet, at any time.`,
          }
    }
    case FOR_ALL:
      return { name: 'approval of everything', why: `It lets ${spender} take every token of ${target} out of the wallet, at any time.` }
    case OWNER:
      return { name: 'change of owner', why: `It makes ${to} the owner of the contract ${target}.` }
    default:
      return { name: 'transfer of tokens', why: `It sends ${amount} base units of the token ${target} to ${to}.` }
  }
}

// https://docs.rs/solana-system-interface, https://docs.rs/solana-stake-interface, https://docs.rs/spl-token (enums of instructions, read 2026-11-22).
const SYSTEM = '11111111111111111111111111111111'
const STAKE = 'Stake11111111111111111111111111111111111111'
const AUTHORITY: Risk = {
  name: 'change of authority',
  why: 'It hands the say over a stake account, to withdraw or to delegate, to another key.',
}
const LOCKUP: Risk = { name: 'lockup', why: 'It locks the stake, and only a custodian can free it before its time.' }
const SENDS: Risk = { name: 'transfer', why: 'It sends SOL out of an account.' }
const TOKENS: Readonly<Record<string, Risk>> = {
  '03': { name: 'transfer of tokens', why: 'It sends tokens out of an account.' },
  '04': { name: 'approval', why: 'It lets somebody else take tokens out of an account, at any time.' },
  '06': { name: 'change of authority', why: 'It hands a token account or a mint to another key.' },
  '09': { name: 'closing of an account', why: 'It closes a token account and sends its SOL to somebody.' },
  '0c': { name: 'transfer of tokens', why: 'It sends tokens out of an account.' },
  '0d': { name: 'approval', why: 'It lets somebody else take tokens out of an account, at any time.' },
}
const SVM: Readonly<Record<string, Readonly<Record<string, Risk>>>> = {
  [SYSTEM]: {
    '01000000': { name: 'change of owner', why: 'It gives an account to a program, which then decides over it.' },
    '02000000': SENDS,
    '07000000': { name: 'change of authority', why: 'It hands a nonce account to another key.' },
    '0b000000': SENDS,
  },
  [STAKE]: {
    '01000000': AUTHORITY,
    '03000000': { name: 'split', why: 'It moves a part of a stake account into another one.' },
    '06000000': LOCKUP,
    '07000000': { name: 'merge', why: 'It joins a stake account with another one.' },
    '08000000': AUTHORITY,
    '0a000000': AUTHORITY,
    '0b000000': AUTHORITY,
    '0c000000': LOCKUP,
  },
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: TOKENS,
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: TOKENS,
}

/** By the first byte where a program has few instructions, else by the first four. */
function ofSvm({ target, args: { data } }: Call): Risk | null {
  const digits = typeof data === 'string' ? data.slice(2) : ''
  return SVM[target]?.[digits.slice(0, 8)] ?? SVM[target]?.[digits.slice(0, 2)] ?? null
}

// https://github.com/cosmos/cosmos-sdk/tree/main/proto/cosmos, https://github.com/cosmos/ibc-go/tree/main/proto (read 2026-11-22).
const COSMOS: Readonly<Record<string, Risk>> = {
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

// https://docs.sui.io/concepts/transactions/prog-txn-blocks (read 2026-11-22).
const MOVE: Readonly<Record<string, Risk>> = {
  'unknown Publish': { name: 'publishing of code', why: 'It puts new code on the chain.' },
  'unknown Upgrade': { name: 'upgrade of code', why: 'It replaces code on the chain.' },
}
