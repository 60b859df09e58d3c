// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are variables of a shell.
import type { Choice, Place } from './completion-places.ts'

/** Within single quotes every shell of the three takes all as it is, but for these. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Every step from a place to one below it, as it stands before a case of `"$at $word"`. */
function steps(places: readonly Place[]): readonly string[] {
  return places.flatMap(({ path, words }) => words.flatMap(({ leads, text }) => (leads ? [`${path} ${text}`] : [])))
}

const isList = (value: Choice['value']): value is readonly string[] => typeof value === 'object'

/** `svc audit --outcome`, for each spelling of each option that takes a value. */
function valued(places: readonly Place[], fits: (value: Choice['value']) => boolean): readonly (readonly [string, Choice])[] {
  return places.flatMap(({ path, options }) =>
    options.flatMap((choice) => (fits(choice.value) ? choice.flags.map((flag) => [`${path} ${flag}`, choice] as const) : [])),
  )
}

/** Lines of a case statement of bash and zsh: the values of an option that has some, files, or nothing. */
function valueCases(places: readonly Place[], { list, files }: { list: (values: readonly string[]) => string; files: string }): string[] {
  const any = (fits: (value: Choice['value']) => boolean) =>
    valued(places, fits)
      .map(([place]) => `"${place}"`)
      .join('|')
  return [
    ...valued(places, isList).map(([place, { value }]) => `    "${place}") ${list(isList(value) ? value : [])} ;;`),
    `    ${any((value) => value === 'file')}) ${files}; return ;;`,
    `    ${any((value) => value === 'any')}) return ;;`,
  ]
}

const walk = (places: readonly Place[]) => [
  '    case "$at $word" in',
  `      ${steps(places)
    .map((step) => `"${step}"`)
    .join('|')}) at="$at $word" ;;`,
  '    esac',
]

/** Writes the completion script for bash 3.2 and newer. */
export function bashScript(places: readonly Place[]): string {
  return [
    '# svc completion bash',
    '_svc() {',
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" at=svc word words= options=',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    ...walk(places),
    '  done',
    '  case "$at $prev" in',
    ...valueCases(places, {
      list: (values) => `COMPREPLY=($(compgen -W "${values.join(' ')}" -- "$cur")); return`,
      files: 'COMPREPLY=($(compgen -f -- "$cur"))',
    }),
    '  esac',
    '  case "$at" in',
    ...places.map(
      ({ path, words, options }) =>
        `    "${path}") words="${words.map(({ text }) => text).join(' ')}" options="${options.flatMap(({ flags }) => flags).join(' ')}" ;;`,
    ),
    '  esac',
    '  case "$cur" in -*) words="$options" ;; esac',
    '  COMPREPLY=($(compgen -W "${words:-$options}" -- "$cur"))',
    '}',
    'complete -F _svc svc',
  ].join('\n')
}

/** Writes the completion script for zsh, to be sourced, or to be in a folder of `fpath` as `_svc`. */
export function zshScript(places: readonly Place[]): string {
  const described = (text: string, about: string) => quoted(`${text}:${about.replaceAll(':', '\\:')}`)
  return [
    '#compdef svc',
    '_svc() {',
    '  local cur="${words[CURRENT]}" prev="${words[CURRENT-1]}" at=svc word',
    '  local -a found options',
    '  for word in "${(@)words[2,CURRENT-1]}"; do',
    ...walk(places),
    '  done',
    '  case "$at $prev" in',
    ...valueCases(places, { list: (values) => `found=(${values.join(' ')}); _describe value found; return`, files: '_files' }),
    '  esac',
    '  case "$at" in',
    ...places.map(
      ({ path, words, options }) =>
        `    "${path}") found=(${words.map(({ text, about }) => described(text, about)).join(' ')}) options=(${options
          .flatMap(({ flags, about }) => flags.map((flag) => described(flag, about)))
          .join(' ')}) ;;`,
    ),
    '  esac',
    '  if [[ "$cur" == -* || ${#found} -eq 0 ]]; then found=("${(@)options}"); fi',
    '  _describe svc found',
    '}',
    'if [[ "${funcstack[1]}" == _svc ]]; then _svc "$@"; else compdef _svc svc; fi',
  ].join('\n')
}

/** Writes the completion script for fish 3 and newer. */
export function fishScript(places: readonly Place[]): string {
  const at = (path: string) => `-n ${quoted(`test (__svc_at) = "${path}"`)}`
  const takes = (value: Choice['value']) =>
    value === 'none' ? '' : value === 'file' ? ' -r -F' : value === 'any' ? ' -x' : ` -x -a ${quoted(value.join(' '))}`
  const spelt = (flags: readonly string[]) =>
    flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(' ')
  return [
    '# svc completion fish',
    'function __svc_at',
    '  set -l at svc',
    '  set -l words (commandline -opc)',
    '  set -e words[1]',
    '  for word in $words',
    '    switch "$at $word"',
    `      case ${steps(places).map(quoted).join(' ')}`,
    '        set at "$at $word"',
    '    end',
    '  end',
    '  echo $at',
    'end',
    'complete -c svc -f',
    ...places.flatMap(({ path, words, options }) => [
      ...words.map(({ text, about }) => `complete -c svc ${at(path)} -a ${quoted(text)} -d ${quoted(about)}`),
      ...options.map(({ flags, about, value }) => `complete -c svc ${at(path)} ${spelt(flags)}${takes(value)} -d ${quoted(about)}`),
    ]),
  ].join('\n')
}
