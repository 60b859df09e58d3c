import { Argument, Command } from 'commander'
import { placesIn } from './completion-places.ts'
import { bashScript, fishScript, zshScript } from './completion-scripts.ts'

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

/** Makes `svc completion`, which prints the script by which a shell completes words of `svc`. */
export function completionCommand(): Command {
  return new Command('completion')
    .summary('print what completes commands in a shell')
    .description(
      'Prints a script that completes commands, options and their values. It is of this version: print it anew after an upgrade, or have it printed at each start of the shell.',
    )
    .addArgument(new Argument('<shell>', 'of which shell').choices(Object.keys(SHELLS)))
    .addHelpText(
      'after',
      `
Examples:
  $ source <(svc completion bash)          in ~/.bashrc
  $ source <(svc completion zsh)           in ~/.zshrc, after compinit
  $ svc completion fish | source           in ~/.config/fish/config.fish`,
    )
    .action((shell: keyof typeof SHELLS, _options, command: Command) => console.log(SHELLS[shell](placesIn(rootOf(command)))))
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent)
}
