/** A setting that does not fit. `message` names where it stands and what would be right. */
export class SettingsError extends Error {
  readonly code = 'SETTINGS_INVALID'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SettingsError'
  }
}
