import type { NewApiKey } from '../../api/keys.ts'
import { SecretDialog } from '../../parts/dialog/secret-dialog.tsx'
import { Code } from '../../parts/value/code.tsx'
import { useTrial } from './use-trial.ts'

/** Shows the value of a key that was made a moment ago. */
export function ValueDialog({ made: newKey, onClose }: { readonly made: NewApiKey; readonly onClose: () => void }) {
  const trial = useTrial(newKey.account ?? null)
  return (
    <SecretDialog
      title={`Key for “${newKey.name}”`}
      noun="Value"
      text={newKey.key}
      lost="if it is lost, make another one."
      onClose={onClose}
    >
      {trial === null ? null : (
        <div class="field">
          <span class="label">Try it</span>
          <Code text={trial} label="Copy command" />
          <span class="hint">It waits for the value: paste it and press Enter. So it stays out of the shell’s history.</span>
        </div>
      )}
    </SecretDialog>
  )
}
