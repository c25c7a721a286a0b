/** What this tab keeps until it is closed, also when it is loaded anew; nothing where the browser keeps nothing. */
export function keep(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Full, or not allowed: a page that is loaded anew begins anew.
  }
}

/** What was kept by that name, or undefined. */
export function kept(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name)) ?? undefined;
  } catch {
    return undefined;
  }
}
