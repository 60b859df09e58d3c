import { DecodeError, shown } from '../errors.ts'
import { layoutList } from '../layout.ts'
import type { Call, Value } from '../types.ts'
import { type Method, readMethod } from './method.ts'

/** Target of the commands that are not calls of a function. */
export const PTB = 'ptb'

/** Function as an intent declares it, which is also how a promised call names it: `0x…03::sui_system` and `request_withdraw_stake(object system, object stakedSui)`. */
export type MoveFunction = Pick<Call, 'target' | 'method'>

/** Lookup of the function that a command calls; undefined where no layout declares it. */
export type Functions = (target: string, name: string, types: string, count: number) => Method | undefined

/** Makes the promise of one command, for `effects`. @param args by the names in `method` */
export function call(target: string, method: string, args: Readonly<Record<string, Value>>): Call {
  return { target, method, args, value: 0n }
}

/**
 * Compiles the layouts of functions for lookup. Commands that are no function calls (splitting, merging, transferring) need no layout: their entries are skipped,
 * and so are entries of another shape, which `check` reports.
 *
 * @throws DecodeError when the layouts are no list, one names no function, or two different ones are of the same function
 */
export function compile(layouts: unknown): Functions {
  const methods = new Map<string, Method>()
  layoutList(layouts).forEach((layout, i) => {
    // Effects from outside may be of any shape; `check` reports what is wrong with them.
    if (typeof layout !== 'object' || layout === null) return
    const { target, method: text } = layout as { readonly target?: unknown; readonly method?: unknown }
    if (typeof target !== 'string' || typeof text !== 'string' || target === PTB || text.startsWith('unknown ')) return
    const method = readMethod(text)
    const key = keyOf(target, method.name, method.types, method.params.length)
    const other = methods.get(key)
    if (other !== undefined && other.text !== text) {
      throw new DecodeError(
        `${shown(other.text)} and ${shown(text)}, number ${i}, are of the same function of ${target}; there must be one`,
      )
    }
    methods.set(key, method)
  })
  return (target, name, types, count) => methods.get(keyOf(target, name, types, count))
}

function keyOf(target: string, name: string, types: string, count: number): string {
  return `${target} ${name} ${types} ${count}`
}
