"""Knowledge: what an entry is, how it is read and edited, where corpora lie. Pure: text in, values out."""
