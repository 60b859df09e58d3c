import type { Command, Option } from 'commander'

/** A command, by the words that lead to it: `svc keys create`. */
export interface Place {
  readonly path: string
  /** Commands below it, and values of its argument. */
  readonly words: readonly Word[]
  readonly options: readonly Choice[]
}

/** A word and what it is for, without the apostrophes of one shell or another. */
interface Word {
  readonly text: string
  readonly about: string
  readonly leads: boolean
}

/** An option: its spellings, and what follows it. */
export interface Choice {
  readonly flags: readonly string[]
  readonly about: string
  /** `none`; a file; any text; or one of these. */
  readonly value: 'none' | 'file' | 'any' | readonly string[]
}

const HELP: Choice = { flags: ['--help', '-h'], about: 'show this help', value: 'none' }

/** Lists every command of a program with what may stand behind it. An alias is a place of its own. */
export function placesIn(root: Command): readonly Place[] {
  return below(root, root.name(), root.options)
}

function below(command: Command, path: string, everywhere: readonly Option[]): readonly Place[] {
  const namesOf = (each: Command) => [each.name(), ...each.aliases()]
  const words = [
    ...command.commands.flatMap((each) => namesOf(each).map((text) => ({ text, about: each.summary(), leads: true }))),
    ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
      argChoices.map((text) => ({ text, about: description, leads: false })),
    ),
  ]
  const options = [...new Set([...command.options, ...everywhere])].map(choiceOf)
  const further = command.commands.flatMap((each) => namesOf(each).flatMap((name) => below(each, `${path} ${name}`, everywhere)))
  return [{ path, words, options: [...options, HELP] }, ...further]
}

function choiceOf({ long, short, description, flags, argChoices }: Option): Choice {
  const value = !/[<[]/.test(flags) ? 'none' : (argChoices ?? (flags.includes('<file>') ? 'file' : 'any'))
  return { flags: [long, short].filter((flag) => flag != null), about: description, value }
}
