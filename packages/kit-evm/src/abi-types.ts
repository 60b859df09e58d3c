// The types of a contract's methods, read from the human-readable texts of its ABI by the compiler.

/** A parameter: its name, empty where it has none; its type, such as `uint64` or `tuple[]`; the members of a tuple. */
interface Parameter {
  readonly name: string
  readonly type: string
  readonly members: readonly Parameter[]
}

/** Parameters between the parentheses: names and types in their order. A tuple's members are read, those of a tuple within the tuple are not. */
type ParametersOf<Text extends string, Done extends readonly Parameter[] = []> = Text extends ''
  ? Done
  : Text extends `tuple(${infer Members})${infer Tail}` | `(${infer Members})${infer Tail}`
    ? Tail extends `${infer Own}, ${infer Next}`
      ? ParametersOf<Next, readonly [...Done, Named<`tuple${Own}`, ParametersOf<Members>>]>
      : readonly [...Done, Named<`tuple${Tail}`, ParametersOf<Members>>]
    : Text extends `${infer Own}, ${infer Next}`
      ? ParametersOf<Next, readonly [...Done, Named<Own, []>]>
      : readonly [...Done, Named<Text, []>]

type Named<Text extends string, Members extends readonly Parameter[]> = Text extends `${infer Type} ${infer Name}`
  ? { readonly name: Name; readonly type: Type; readonly members: Members }
  : { readonly name: ''; readonly type: Text; readonly members: Members }

type Whole = `uint${string}` | `int${string}`
type Text = 'address' | 'string' | `bytes${string}`

type ValueOf<Type extends string, Members extends readonly Parameter[]> = Type extends `${infer Of}[]`
  ? readonly ValueOf<Of, Members>[]
  : Type extends 'tuple'
    ? ValuesOf<Members>
    : Type extends Whole
      ? bigint
      : Type extends 'bool'
        ? boolean
        : Type extends Text
          ? string
          : unknown

/** Values by their places, and by their names where they have some. */
type ValuesOf<List extends readonly Parameter[]> = {
  readonly [At in keyof List]: ValueOf<List[At]['type'], List[At]['members']>
} & {
  readonly [One in List[number] as Exclude<One['name'], ''>]: ValueOf<One['type'], One['members']>
}

type ArgumentOf<Type extends string, Members extends readonly Parameter[]> = Type extends `${infer Of}[]`
  ? readonly ArgumentOf<Of, Members>[]
  : Type extends 'tuple'
    ? ArgumentsIn<Members> | { readonly [One in Members[number] as One['name']]: ArgumentOf<One['type'], One['members']> }
    : Type extends Whole
      ? bigint | number
      : ValueOf<Type, Members>

type ArgumentsIn<List extends readonly Parameter[]> = { readonly [At in keyof List]: ArgumentOf<List[At]['type'], List[At]['members']> }

/** All before the last closing parenthesis: inputs without what follows them, such as `view`. */
type UpToLast<S extends string> = S extends `${infer Head})${infer Tail}`
  ? Tail extends `${string})${string}`
    ? `${Head})${UpToLast<Tail>}`
    : Head
  : S

/** Inputs and outputs of a method, from behind its first parenthesis to the end of its text. */
type Signature<Rest extends string> = Rest extends `${infer Inputs} returns (${infer Outputs})`
  ? { readonly inputs: ParametersOf<UpToLast<Inputs>>; readonly outputs: ParametersOf<Outputs> }
  : { readonly inputs: ParametersOf<UpToLast<Rest>>; readonly outputs: readonly [] }

type SignatureOf<Texts extends readonly string[], Method extends string> = Texts[number] extends infer One
  ? One extends `function ${Method}(${infer Rest}`
    ? Signature<Rest>
    : never
  : never

/** Names of the methods. */
export type MethodOf<Texts extends readonly string[]> = Texts[number] extends infer One
  ? One extends `function ${infer Name}(${string}`
    ? Name
    : never
  : never

/** Arguments that a method takes, in the method's order. */
export type ArgumentsOf<Texts extends readonly string[], Method extends string> = ArgumentsIn<SignatureOf<Texts, Method>['inputs']>

/** Answer of a method: its value where it has one, and all of them by place and by name where it has several. */
export type AnswerOf<Texts extends readonly string[], Method extends string> =
  SignatureOf<Texts, Method> extends infer Found extends { readonly outputs: readonly Parameter[] }
    ? Found['outputs'] extends readonly [infer Only extends Parameter]
      ? ValueOf<Only['type'], Only['members']>
      : ValuesOf<Found['outputs']>
    : never
