// What the files and the last lines of the command say of the panel of editors.

export const studioAddress = 'http://localhost:1337/studio'

/** Makes the first user with the role that may do everything with the content. */
export const makeEditor = 'npx plinth user create ann --email ann@example.com --role editor'
