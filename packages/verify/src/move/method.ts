import { DecodeError, shown } from '../errors.ts'

/** Type of an argument. `object` is an input that is an object, `argument` anything but a pure value; the others are pure values. */
export type Type = 'object' | 'argument' | Pure
export type Pure = (typeof PURE)[number]

/** A function as effects name it. */
export interface Method {
  readonly text: string
  readonly name: string
  /** Type arguments, `<…>` without spaces, or empty. */
  readonly types: string
  readonly params: readonly { readonly type: Type; readonly name: string }[]
}

const PURE = ['u64', 'u32', 'u16', 'u8', 'bool', 'address', 'id', 'bytes'] as const
const TYPES: readonly string[] = ['object', 'argument', ...PURE]

const METHOD = /^([A-Za-z_][A-Za-z0-9_]*)(<[^()]+>)?\(([^()]*)\)$/
const PARAM = /^([a-z0-9]+) ([A-Za-z_][A-Za-z0-9_]*)$/

/**
 * Parses a function signature, with the names and types of its parameters.
 *
 * @param text `from_balance<0x…02::sui::SUI>(argument balance)`
 * @throws DecodeError when the text is no function with types and names of all its parameters
 */
export function readMethod(text: string): Method {
  const [, name, types = '', list] = METHOD.exec(text) ?? []
  if (name === undefined || list === undefined) {
    throw new DecodeError(
      `the method ${shown(text)} is no function; it must be such as "request_withdraw_stake(object system, object stakedSui)"`,
    )
  }
  const params = list === '' ? [] : list.split(', ').map((param) => readParam(param, text))
  params.forEach((param, i) => {
    if (params.findIndex((other) => other.name === param.name) < i) {
      throw new DecodeError(`the method ${shown(text)} has two parameters ${param.name}; each must have its own name`)
    }
  })
  return { text, name, types: types.replaceAll(' ', ''), params }
}

function readParam(text: string, method: string): Method['params'][number] {
  const [, type, name] = PARAM.exec(text) ?? []
  if (type === undefined || name === undefined || !TYPES.includes(type)) {
    throw new DecodeError(`the parameter ${shown(text)} of ${shown(method)} is none; it must be a name after one of ${TYPES.join(', ')}`)
  }
  return { type: type as Type, name }
}
