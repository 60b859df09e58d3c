/**
 * Operation codes of the instructions that are used here, in their form with a number; that with a register has the next bit set.
 *
 * @see https://github.com/anza-xyz/sbpf/blob/main/doc/bytecode.md (read 2026-11-22)
 */
const OPERATIONS: Readonly<Record<string, number>> = {
  ja: 0x05,
  add64: 0x07,
  jeq: 0x15,
  jgt: 0x25,
  or64: 0x47,
  jne: 0x55,
  and64: 0x57,
  exit: 0x95,
  mov64: 0xb7,
}
const OF_REGISTER = 0x08
const LOADS: Readonly<Record<string, number>> = { ldxb: 0x71, ldxdw: 0x79 }
const STORES: Readonly<Record<string, number>> = { stxdw: 0x7b }

/** Bytes of an instruction. */
const WIDTH = 8

/**
 * Machine code of a program for Solana's virtual machine, in the notation of its disassembler: one instruction a line, `name:` for a place to
 * jump to, and `;` before a remark.
 *
 * @throws Error for a line that is none of those, and for a jump to nowhere
 */
export function assemble(source: string): Uint8Array {
  const lines = source
    .split('\n')
    .map((line) => line.replace(/;.*/, '').trim())
    .filter((line) => line !== '')
  const places = new Map<string, number>()
  const instructions: string[] = []
  for (const line of lines) {
    if (line.endsWith(':')) places.set(line.slice(0, -1), instructions.length)
    else instructions.push(line)
  }
  const code = new DataView(new ArrayBuffer(WIDTH * instructions.length))
  instructions.forEach((line, at) => {
    const jump = (to: string) => {
      const place = places.get(to)
      if (place === undefined) throw new Error(`"${line}" jumps to ${to}, and there is no such place`)
      return place - at - 1
    }
    const { operation, target = 0, source = 0, offset = 0, immediate = 0 } = parse(line, jump)
    code.setUint8(WIDTH * at, operation)
    code.setUint8(WIDTH * at + 1, target | (source << 4))
    code.setInt16(WIDTH * at + 2, offset, true)
    code.setInt32(WIDTH * at + 4, immediate, true)
  })
  return new Uint8Array(code.buffer)
}

/** The parts of an instruction: operation, two registers, the offset of an address or a jump, and a number. */
interface Parts {
  readonly operation: number
  readonly target?: number
  readonly source?: number
  readonly offset?: number
  readonly immediate?: number
}

function parse(line: string, jump: (to: string) => number): Parts {
  const [name = '', ...operands] = line.split(/[\s,]+/)
  const [first = '', second = '', third] = operands
  const [load, store, operation] = [LOADS[name], STORES[name], OPERATIONS[name]]
  if (load !== undefined) return { operation: load, target: register(first), ...split(second, 'source') }
  if (store !== undefined) return { operation: store, ...split(first, 'target'), source: register(second) }
  if (operation === undefined) throw new Error(`"${line}" is no instruction that is known here`)
  if (name === 'exit') return { operation }
  if (name === 'ja') return { operation, offset: jump(first) }
  const offset = third === undefined ? 0 : jump(third)
  return second.startsWith('r')
    ? { operation: operation | OF_REGISTER, target: register(first), source: register(second), offset }
    : { operation, target: register(first), immediate: integer(second), offset }
}

/** An address: `[r1+8]`. */
function split(text: string, name: 'source' | 'target'): Pick<Parts, 'source' | 'target' | 'offset'> {
  const [, base = '', offset = ''] = /^\[(r\d)\+(\d+)\]$/.exec(text) ?? []
  return { [name]: register(base), offset: integer(offset) }
}

function register(text: string): number {
  if (!/^r[0-9]$/.test(text)) throw new Error(`"${text}" is no register: r0 to r9`)
  return Number(text.slice(1))
}

function integer(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new Error(`"${text}" is no whole number`)
  return Number(text)
}
