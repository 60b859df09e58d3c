import { role, type SvmInstruction, type SvmKind, type SvmProgram } from '../../../src/svm/index.ts'
import { ASSOCIATED, FORMS, MEMO, POOL, STAKE, SYSTEM } from './steps.ts'

const NAMES: Readonly<Record<string, string>> = {
  [SYSTEM]: 'System',
  [STAKE]: 'Stake',
  [ASSOCIATED]: 'AssociatedToken',
  [MEMO]: 'Memo',
  [POOL]: 'StakePool',
}
const KINDS: Readonly<Record<string, SvmKind>> = { u64: 'u64', key: 'address', text: 'string64', role: 'u32', rest: 'rest' }
const ROLES = { r: role.reads, w: role.writes, s: role.signs, sw: role.signsAndWrites } as const
const SIGNED = ['lockupTimestamp']

/** The programs of the vectors, as an intent lays them out. */
export const LAYOUTS: readonly SvmProgram[] = Object.entries(NAMES).map(([address, name]) => ({
  address,
  name,
  instructions: Object.keys(FORMS)
    .filter((form) => FORMS[form]!.program === address && form !== 'System.AdvanceNonceAccount')
    .map(instructionOf),
}))

/** The same with the stake pool program of another cluster. */
export function layoutsAt(pool: string): readonly SvmProgram[] {
  return LAYOUTS.map((each) => (each.address === POOL ? { ...each, address: pool } : each))
}

function instructionOf(form: string): SvmInstruction {
  const { accounts, tag, data } = FORMS[form]!
  const name = form.slice(form.indexOf('.') + 1).replace('+', '')
  const spends = name.startsWith('CreateAccount') || name === 'Transfer' || name.startsWith('DepositSol')
  return {
    name,
    discriminator: `0x${Buffer.from(tag).toString('hex')}`,
    accounts: Object.fromEntries(
      pairs(accounts).map(([rights, given], i) => {
        const created = name === 'CreateAccount' && given === 'newAccount' ? { created: true as const } : {}
        // An address in the place of a name is always the same.
        return given.length < 25
          ? [given, { ...ROLES[rights as 'r'], ...created }]
          : [`fixed${i}`, { ...ROLES[rights as 'r'], address: given }]
      }),
    ),
    data: Object.fromEntries(pairs(data).map(([kind, given]) => [given, SIGNED.includes(given) ? 'i64' : KINDS[kind]!])),
    ...(spends ? { spends: { from: 'from', lamports: 'lamports' } } : {}),
  }
}

function pairs(text: string): readonly (readonly [string, string])[] {
  return text
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => part.split(':') as [string, string])
}
