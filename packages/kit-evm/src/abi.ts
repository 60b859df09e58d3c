import { Interface } from 'ethers'
import { answerReader } from './abi-read.ts'
import type { AnswerOf, ArgumentsOf, MethodOf } from './abi-types.ts'
import { argumentsWriter } from './abi-write.ts'

/** A call of a contract, and how its answer is read. */
export interface Question<T> {
  readonly to: string
  /** Name of the question, as a refusal gives it. */
  readonly method: string
  /** Call data, 0x-prefixed. */
  readonly data: string
  /** Decodes an answer. @throws when it has another form */
  read(answer: string): T
  /** Checks an answer. @throws for one that the contract cannot have given, so that the next endpoint is asked. @default `read` */
  check?(answer: string): unknown
}

/** A contract's methods, typed by the texts of its ABI: whole numbers are `bigint`, addresses and bytes are texts. */
export interface Abi<Texts extends readonly string[]> {
  /** Interface of ethers, for errors and events. */
  readonly interface: Interface
  /** Encodes the call data of a method. */
  encodeFunctionData<M extends MethodOf<Texts>>(
    method: M,
    ...args: ArgumentsOf<Texts, M> extends readonly [] ? [args?: readonly []] : [args: ArgumentsOf<Texts, M>]
  ): string
  /** Decodes the answer of a method. @throws when the data has another form */
  decodeFunctionResult<M extends MethodOf<Texts>>(method: M, data: string): AnswerOf<Texts, M>
  /** Makes a question to a contract, for a reader. */
  question<M extends MethodOf<Texts>>(to: string, method: M, args: ArgumentsOf<Texts, M>): Question<AnswerOf<Texts, M>>
  /** @param read of what the method answered: one value as such, several by place and by name. What it refuses has another form */
  question<M extends MethodOf<Texts>, T>(
    to: string,
    method: M,
    args: ArgumentsOf<Texts, M>,
    read: (answer: AnswerOf<Texts, M>) => T,
  ): Question<T>
}

/**
 * Compiles a contract's ABI from human-readable texts, as ethers reads them; the compiler derives the types of its methods from the same texts.
 *
 * @example
 * const vault = parseAbi(['function withdraw(uint256 amount)', 'function record(address owner) view returns (uint256 stake, bool open)'])
 * vault.encodeFunctionData('withdraw', [amount])
 * vault.question(network.vault, 'record', [address], ({ stake }) => readAmount(stake)) // Question<bigint>
 */
export function parseAbi<const Texts extends readonly string[]>(texts: Texts): Abi<Texts>
// That ethers and the compiler read the same texts alike is for the tests to say, and not for the compiler.
export function parseAbi(texts: readonly string[]): object {
  const abi = new Interface(texts)
  const methods = new Map<string, MethodCoder>()
  const coderOf = (method: string): MethodCoder => {
    const earlier = methods.get(method)
    if (earlier) return earlier
    const product = methodCoder(abi, method)
    methods.set(method, product)
    return product
  }
  return {
    interface: abi,
    encodeFunctionData: (method: string, args: readonly unknown[] = []) => coderOf(method).write(args),
    decodeFunctionResult: (method: string, data: string) => coderOf(method).read(data),
    question(to: string, method: string, args: readonly unknown[], read?: (answer: unknown) => unknown): Question<unknown> {
      const coder = coderOf(method)
      return { to, method, data: coder.write(args), read: read ? (answer) => read(coder.read(answer)) : coder.read }
    },
  }
}

/** Encoder of calls to one method, and decoder of its answers. */
interface MethodCoder {
  /** Encodes the call data. */
  write(args: readonly unknown[]): string
  /** Reads what the method returns: the value where there is one, else all of them. */
  read(data: string): unknown
}

/** @throws TypeError when the ABI has no such method, or more than one */
function methodCoder(abi: Interface, method: string): MethodCoder {
  const fragment = abi.getFunction(method)
  if (fragment === null) throw new TypeError(`the ABI has no method ${method}`)
  const { selector, inputs, outputs } = fragment
  const write = argumentsWriter(inputs)
  const read = answerReader(outputs)
  return {
    write: (args) => selector + write(args),
    read: outputs.length === 1 ? (data) => read(data)[0] : read,
  }
}
