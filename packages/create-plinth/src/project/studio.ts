// The texts about the panel of editors in the files and in the last lines of the command.

export const studioAddress = 'http://localhost:1337/studio'

/** Makes the first user with the role that may do everything with the content. */
export const makeEditor = 'npx plinth user create ann --email ann@example.com --role editor'
