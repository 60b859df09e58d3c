/** Lengths of the parts of the format. */
const HEADER = 64
const SECTION = 64
/** A shared object for the virtual machine's processor, in the format's first version. */
const SHARED_OBJECT = 3
const MACHINE = 247
const VERSION = 1
/** Types of sections, and the flags of one that is loaded and run. */
const CODE = 1
const TEXT = 3
const LOADED_AND_RUN = 6

/**
 * A program as Solana loads it: a shared object in ELF with its machine code, which begins where it is entered, and nothing to relocate.
 *
 * @see https://github.com/anza-xyz/sbpf/blob/main/src/elf.rs (read 2026-11-22), and elf(5)
 */
export function elf(code: Uint8Array): Uint8Array {
  const names = new TextEncoder().encode('\0.text\0.shstrtab\0')
  const [codeAt, namesAt] = [HEADER, HEADER + code.length]
  const sectionsAt = Math.ceil((namesAt + names.length) / 8) * 8
  const file = new Uint8Array(sectionsAt + 3 * SECTION)
  const view = new DataView(file.buffer)
  // 64 bits, little-endian.
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, VERSION])
  view.setUint16(16, SHARED_OBJECT, true)
  view.setUint16(18, MACHINE, true)
  view.setUint32(20, VERSION, true)
  view.setBigUint64(24, BigInt(codeAt), true)
  view.setBigUint64(40, BigInt(sectionsAt), true)
  view.setUint16(52, HEADER, true)
  // Entries of the program's table, of which there are none.
  view.setUint16(54, 56, true)
  view.setUint16(58, SECTION, true)
  view.setUint16(60, 3, true)
  // The section with the names.
  view.setUint16(62, 2, true)
  file.set(code, codeAt)
  file.set(names, namesAt)
  const section = (index: number, name: string, type: number, flags: number, at: number, length: number) => {
    const start = sectionsAt + index * SECTION
    view.setUint32(start, new TextDecoder().decode(names).indexOf(name), true)
    view.setUint32(start + 4, type, true)
    view.setBigUint64(start + 8, BigInt(flags), true)
    view.setBigUint64(start + 16, BigInt(flags === 0 ? 0 : at), true)
    view.setBigUint64(start + 24, BigInt(at), true)
    view.setBigUint64(start + 32, BigInt(length), true)
    view.setBigUint64(start + 48, 8n, true)
  }
  // The first one is always empty.
  section(1, '.text', CODE, LOADED_AND_RUN, codeAt, code.length)
  section(2, '.shstrtab', TEXT, 0, namesAt, names.length)
  return file
}
