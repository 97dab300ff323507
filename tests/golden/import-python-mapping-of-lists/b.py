ALLOWED = {
    "git": ["clones"],
}
